package io.deli.coprocessor.internal.send;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;

/**
 * Ends what is sent to a table that is disabled, which HBase's client would go on trying until its
 * time is up. Only a table that somebody has disabled counts: regions that move, split or are
 * nowhere for a while are waited for. Thread-safe.
 */
final class DisabledIndexes {
  private static final long PAUSE_MILLIS = 1_000;

  /** Those that were disabled when last looked at; who sends to them need not wait to ask. */
  private final Set<TableName> found = ConcurrentHashMap.newKeySet();

  /**
   * Looks at the table as long as it does not answer.
   *
   * @param disabled asks whether the table is
   * @param timeoutMillis after which HBase's client gives up
   * @return as was sent, or fails with {@link TableNotEnabledException}
   */
  CompletableFuture<Void> watch(
      TableName table,
      Supplier<CompletableFuture<Boolean>> disabled,
      CompletableFuture<Void> sent,
      long timeoutMillis) {
    Watch watch =
        new Watch(table, disabled, sent.copy(), Math.min(PAUSE_MILLIS, timeoutMillis / 4));
    if (found.contains(table)) {
      watch.look();
    } else {
      watch.pause();
    }
    return watch.answer;
  }

  private final class Watch {
    private final TableName table;
    private final Supplier<CompletableFuture<Boolean>> disabled;
    private final CompletableFuture<Void> answer;
    private final long pauseMillis;

    Watch(
        TableName table,
        Supplier<CompletableFuture<Boolean>> disabled,
        CompletableFuture<Void> answer,
        long pauseMillis) {
      this.table = table;
      this.disabled = disabled;
      this.answer = answer;
      this.pauseMillis = pauseMillis;
    }

    void pause() {
      CompletableFuture<Void> unused =
          answer
              .copy()
              .orTimeout(pauseMillis, TimeUnit.MILLISECONDS)
              .whenComplete(
                  (done, error) -> {
                    if (error instanceof TimeoutException && !answer.isDone()) {
                      look();
                    }
                  });
    }

    void look() {
      CompletableFuture<Boolean> unused =
          disabled
              .get()
              .whenComplete(
                  (is, error) -> {
                    if (error == null && is) {
                      found.add(table);
                      answer.completeExceptionally(new TableNotEnabledException(table));
                    } else {
                      found.remove(table);
                      pause();
                    }
                  });
    }
  }
}
