package io.deli.coprocessor.internal.send;

import io.deli.coprocessor.internal.send.GcMetrics.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Delete;

/** Sends by HBase's asynchronous client, which combines the deletes for one region server. */
public record TableDeleteSender(
    Supplier<CompletableFuture<AsyncConnection>> connection, GcMetrics metrics)
    implements IndexDelete.Sender {
  private static final long RETRY_PAUSE_MILLIS = 50;
  private static final int ATTEMPTS = 30;

  @Override
  public CompletableFuture<Void> send(
      TableName table, List<IndexDelete> deletes, long timeoutMillis, Runnable acknowledged) {
    return connection
        .get()
        .thenCompose(open -> send(table(open, table, timeoutMillis), deletes, acknowledged))
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

  private CompletableFuture<Void> send(
      AsyncTable<?> table, List<IndexDelete> deletes, Runnable acknowledged) {
    List<Delete> actions = deletes.stream().map(IndexDelete::delete).toList();
    metrics.requested(deletes);
    List<CompletableFuture<Object>> results = table.batch(actions);
    List<CompletableFuture<?>> answers = new ArrayList<>(results.size());
    for (int i = 0; i < results.size(); i++) {
      IndexDelete delete = deletes.get(i);
      answers.add(
          results
              .get(i)
              .handle(
                  (result, failure) -> {
                    note(delete, result, failure, acknowledged);
                    return null;
                  }));
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new));
  }

  private void note(IndexDelete delete, Object result, Throwable failure, Runnable acknowledged) {
    Throwable reason = failure == null && result instanceof Throwable t ? t : failure;
    if (reason == null || isGone(reason)) {
      delete.acknowledge();
      metrics.add(Count.DELETES_ACKNOWLEDGED, delete.cells());
      acknowledged.run();
    } else {
      delete.fail(reason);
    }
  }

  /** Whether a table is gone: it holds no entries, and what it should delete is deleted. */
  static boolean isGone(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof TableNotFoundException) {
        return true;
      }
    }
    return false;
  }
}
