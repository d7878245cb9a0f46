package io.deli.test.write;

import io.deli.test.fault.Proxies;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;

/** What was set on the builders of a connection, by table. */
final class RecordedSettings {
  private final ConcurrentMap<TableName, Set<String>> byTable = new ConcurrentHashMap<>();

  /** A connection that notes, and passes everything on. */
  AsyncConnection over(AsyncConnection connection) {
    return Proxies.of(
        AsyncConnection.class,
        (self, method, arguments) -> {
          Object answer = Proxies.call(connection, method, arguments);
          return answer instanceof AsyncTableBuilder<?> builder
              ? noting(builder, (TableName) arguments[0])
              : answer;
        });
  }

  private AsyncTableBuilder<?> noting(AsyncTableBuilder<?> builder, TableName table) {
    return Proxies.of(
        AsyncTableBuilder.class,
        (self, method, arguments) -> {
          Object answer = Proxies.call(builder, method, arguments);
          if (answer instanceof AsyncTableBuilder<?>) {
            of(table).add(method.getName() + Arrays.toString(arguments));
            return self;
          }
          return answer;
        });
  }

  private Set<String> of(TableName table) {
    return byTable.computeIfAbsent(table, name -> Collections.synchronizedSet(new HashSet<>()));
  }

  Set<String> on(TableName table) {
    return Set.copyOf(of(table));
  }
}
