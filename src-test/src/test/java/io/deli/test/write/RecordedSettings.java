package io.deli.test.write;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
    return proxy(
        AsyncConnection.class,
        (method, arguments) -> {
          Object answer = method.invoke(connection, arguments);
          return answer instanceof AsyncTableBuilder<?> builder
              ? noting(builder, (TableName) arguments[0])
              : answer;
        });
  }

  private AsyncTableBuilder<?> noting(AsyncTableBuilder<?> builder, TableName table) {
    AsyncTableBuilder<?>[] self = new AsyncTableBuilder<?>[1];
    self[0] =
        proxy(
            AsyncTableBuilder.class,
            (method, arguments) -> {
              Object answer = method.invoke(builder, arguments);
              if (answer instanceof AsyncTableBuilder<?>) {
                of(table).add(method.getName() + Arrays.toString(arguments));
                return self[0];
              }
              return answer;
            });
    return self[0];
  }

  private Set<String> of(TableName table) {
    return byTable.computeIfAbsent(table, name -> Collections.synchronizedSet(new HashSet<>()));
  }

  Set<String> on(TableName table) {
    return Set.copyOf(of(table));
  }

  private interface Invoked {
    Object by(java.lang.reflect.Method method, Object[] arguments)
        throws ReflectiveOperationException;
  }

  private static <T> T proxy(Class<T> type, Invoked invoked) {
    return type.cast(
        Proxy.newProxyInstance(
            RecordedSettings.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return invoked.by(method, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
