package io.deli.service;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;

/**
 * Fails the operations sent to a disabled table, which HBase's client would retry until their
 * time-out. Only a table that somebody has disabled counts: regions that move, split or have no
 * server for a while are waited for. Thread-safe.
 *
 * <p>HBase's client goes on retrying unheard. If the table is enabled in time, the operations are
 * applied although they failed: entries of writes that did not happen, which repair deletes.
 */
public final class DisabledTableWatch {
  private final TableName table;
  private final Supplier<CompletableFuture<Boolean>> disabled;
  private final Timeout timeout;

  /** Whether the table was disabled when last asked: the next operations need not wait to ask. */
  private volatile boolean lastSeenDisabled;

  /** Completes a future exceptionally, by {@link TimeoutException}, after some milliseconds. */
  public interface Timeout {
    CompletableFuture<Void> set(CompletableFuture<Void> future, long millis);
  }

  /**
   * @param disabled asks whether the table is disabled
   */
  public DisabledTableWatch(
      TableName table, Supplier<CompletableFuture<Boolean>> disabled, Timeout timeout) {
    this.table = table;
    this.disabled = disabled;
    this.timeout = timeout;
  }

  /**
   * Asks for the state of the table as long as an operation is unanswered, and fails the operations
   * with a {@link TableNotEnabledException} once the table is disabled.
   *
   * @param pauseMillis time before each question
   */
  public void watch(List<? extends CompletableFuture<?>> operations, long pauseMillis) {
    CompletableFuture<Void> all =
        CompletableFuture.allOf(operations.toArray(CompletableFuture[]::new));
    if (lastSeenDisabled) {
      ask(operations, all, pauseMillis);
    } else {
      pause(operations, all, pauseMillis);
    }
  }

  private void pause(
      List<? extends CompletableFuture<?>> operations, CompletableFuture<Void> all, long millis) {
    CompletableFuture<Void> unused =
        timeout
            .set(all.copy(), millis)
            .whenComplete(
                (done, error) -> {
                  if (error instanceof TimeoutException && !all.isDone()) {
                    ask(operations, all, millis);
                  }
                });
  }

  private void ask(
      List<? extends CompletableFuture<?>> operations, CompletableFuture<Void> all, long millis) {
    CompletableFuture<Boolean> unused =
        disabled
            .get()
            .whenComplete(
                (is, error) -> {
                  lastSeenDisabled = error == null && is;
                  if (lastSeenDisabled) {
                    TableNotEnabledException failure = new TableNotEnabledException(table);
                    operations.forEach(operation -> operation.completeExceptionally(failure));
                  } else {
                    pause(operations, all, millis);
                  }
                });
  }
}
