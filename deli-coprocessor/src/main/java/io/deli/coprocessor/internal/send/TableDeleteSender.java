package io.deli.coprocessor.internal.send;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Delete;

/** Sends by HBase's asynchronous client, which combines the deletes for one region server. */
final class TableDeleteSender implements DeleteSender {
  /** HBase warns about requests with more rows than 5000. */
  private static final int ROWS_PER_REQUEST = 4_000;

  private static final long RETRY_PAUSE_MILLIS = 50;
  private static final int ATTEMPTS = 30;

  private final Supplier<CompletableFuture<AsyncConnection>> connection;
  private final GcMetrics metrics;

  TableDeleteSender(Supplier<CompletableFuture<AsyncConnection>> connection, GcMetrics metrics) {
    this.connection = connection;
    this.metrics = metrics;
  }

  @Override
  public CompletableFuture<Void> send(List<IndexDelete> deletes, long timeoutMillis) {
    Map<TableName, List<IndexDelete>> byTable = new LinkedHashMap<>();
    deletes.forEach(d -> byTable.computeIfAbsent(d.table(), t -> new ArrayList<>()).add(d));
    return connection
        .get()
        .thenCompose(
            open ->
                CompletableFuture.allOf(
                    byTable.entrySet().stream()
                        .map(e -> send(table(open, e.getKey(), timeoutMillis), e.getValue()))
                        .toArray(CompletableFuture<?>[]::new)))
        .exceptionally(
            e -> {
              deletes.stream().filter(d -> !d.isAcknowledged()).forEach(d -> d.fail(e));
              return null;
            });
  }

  static AsyncTable<?> table(AsyncConnection open, TableName name, long timeoutMillis) {
    return open.getTableBuilder(name)
        .setOperationTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setRpcTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setRetryPause(RETRY_PAUSE_MILLIS, TimeUnit.MILLISECONDS)
        .setMaxAttempts(ATTEMPTS)
        .build();
  }

  private CompletableFuture<Void> send(AsyncTable<?> table, List<IndexDelete> deletes) {
    List<CompletableFuture<?>> answers = new ArrayList<>(deletes.size());
    for (int from = 0; from < deletes.size(); from += ROWS_PER_REQUEST) {
      List<IndexDelete> part =
          deletes.subList(from, Math.min(deletes.size(), from + ROWS_PER_REQUEST));
      List<Delete> actions = part.stream().map(IndexDelete::delete).toList();
      metrics.sent(actions.stream().mapToInt(Delete::size).sum());
      List<CompletableFuture<Object>> results = table.batch(actions);
      for (int i = 0; i < results.size(); i++) {
        IndexDelete delete = part.get(i);
        answers.add(results.get(i).handle((result, failure) -> note(delete, result, failure)));
      }
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new));
  }

  private Void note(IndexDelete delete, Object result, Throwable failure) {
    Throwable reason = failure == null && result instanceof Throwable t ? t : failure;
    // A table that is gone holds no entries: what it should delete is deleted.
    if (reason == null || isGone(reason)) {
      delete.acknowledge();
      metrics.acknowledged(delete.delete().size());
    } else {
      delete.fail(reason);
    }
    return null;
  }

  private static boolean isGone(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof TableNotFoundException) {
        return true;
      }
    }
    return false;
  }
}
