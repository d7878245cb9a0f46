package io.deli.client.internal.write;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.client.internal.Futures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;

/**
 * Ends lists of operations on a table that is disabled, as HBase's client ends single ones: those
 * it would try again for minutes, and does so unheard: what it puts after all, should the table be
 * enabled, are entries of writes that failed. Thread-safe.
 */
final class DisabledTableWatch {
  private static final long PAUSE_MILLIS = 1_000;

  private final TableName table;
  private final Supplier<CompletableFuture<Boolean>> disabled;
  private final Scheduler scheduler;

  /**
   * @param disabled asks whether the table is
   */
  DisabledTableWatch(
      TableName table, Supplier<CompletableFuture<Boolean>> disabled, Scheduler scheduler) {
    this.table = table;
    this.disabled = disabled;
    this.scheduler = scheduler;
  }

  /** Looks at the table as long as operations are not answered; fails them if it is disabled. */
  void watch(List<CompletableFuture<Object>> operations) {
    Futures.onComplete(
        scheduler.bounded(
            CompletableFuture.allOf(operations.toArray(CompletableFuture[]::new)), PAUSE_MILLIS),
        (done, error) -> {
          if (error instanceof TimeoutException) {
            look(operations);
          }
        });
  }

  private void look(List<CompletableFuture<Object>> operations) {
    Futures.onComplete(
        disabled.get(),
        (is, error) -> {
          if (error == null && is) {
            TableNotEnabledException failure = new TableNotEnabledException(table);
            operations.forEach(operation -> operation.completeExceptionally(failure));
          } else {
            watch(operations);
          }
        });
  }
}
