package io.deli.coprocessor.internal.send;

import io.deli.service.DisabledTableWatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Put;

/**
 * Sends entries to index tables, one request to each region server.
 *
 * <p>They go to the handlers for requests of high priority. What waits for them occupies ordinary
 * ones, and an index region waits for nobody: so servers that wait for each other's indexes cannot
 * keep each other waiting.
 */
public final class EntrySender {
  /** A Put that an index table must acknowledge before the base table has the version. */
  public record IndexPut(TableName table, Put put) {
    /** Bytes of memory that some take. */
    public static long heapSize(List<IndexPut> puts) {
      return puts.stream().mapToLong(each -> each.put().heapSize()).sum();
    }
  }

  private static final long DISABLED_CHECK_MILLIS = 1_000;

  private final Supplier<CompletableFuture<AsyncConnection>> connection;
  private final ConcurrentMap<TableName, DisabledTableWatch> watches = new ConcurrentHashMap<>();

  EntrySender(Supplier<CompletableFuture<AsyncConnection>> connection) {
    this.connection = connection;
  }

  /**
   * Sends without waiting.
   *
   * @return completes when all are acknowledged; fails with one that is not, or soon if a table is
   *     disabled
   */
  public CompletableFuture<Void> send(List<IndexPut> puts, long timeoutMillis) {
    Map<TableName, List<Put>> byTable = new LinkedHashMap<>();
    for (IndexPut put : puts) {
      put.put().setPriority(HConstants.HIGH_QOS);
      byTable.computeIfAbsent(put.table(), table -> new ArrayList<>()).add(put.put());
    }
    return connection
        .get()
        .thenCompose(
            open ->
                CompletableFuture.allOf(
                    byTable.entrySet().stream()
                        .map(each -> send(open, each.getKey(), each.getValue(), timeoutMillis))
                        .toArray(CompletableFuture<?>[]::new)));
  }

  private CompletableFuture<Void> send(
      AsyncConnection open, TableName name, List<Put> puts, long timeoutMillis) {
    CompletableFuture<Void> sent =
        CompletableFuture.allOf(
            send(TableDeleteSender.table(open, name, timeoutMillis), puts)
                .toArray(CompletableFuture<?>[]::new));
    CompletableFuture<Void> answer = sent.copy();
    watches
        .computeIfAbsent(name, this::watch)
        .watch(List.of(answer), Math.min(DISABLED_CHECK_MILLIS, timeoutMillis / 4));
    return answer;
  }

  private DisabledTableWatch watch(TableName index) {
    return new DisabledTableWatch(
        index,
        () -> connection.get().thenCompose(open -> open.getAdmin().isTableDisabled(index)),
        (sent, millis) -> sent.orTimeout(millis, TimeUnit.MILLISECONDS));
  }

  private static Stream<? extends CompletableFuture<?>> send(AsyncTable<?> table, List<Put> puts) {
    return puts.size() == 1 ? Stream.of(table.put(puts.get(0))) : table.put(puts).stream();
  }
}
