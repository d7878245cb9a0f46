package io.deli.client.internal.write;

import io.deli.client.internal.Futures;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Limits how many operations of a connection's blocking callers are in flight to one table.
 * Thread-safe.
 */
public final class InFlightLimiter {
  private final int limit;
  private final Semaphore permits;

  public InFlightLimiter(int limit) {
    this.limit = limit;
    // Fair, for many small operations would else pass a large batch for good.
    this.permits = new Semaphore(limit, true);
  }

  /**
   * Returns the largest batch that one caller may send, so that several callers share the limit.
   */
  public int maxBatchSize() {
    return Math.max(1, limit / 4);
  }

  /**
   * Waits until so many operations may be sent, and sends them, in the order of the calls. They
   * count until the answer comes.
   *
   * @param millis the time to wait, or 0 for any; asked for where there is something to wait for
   * @return fails with {@link TimeoutIOException} if the time is up; nothing was sent then
   * @throws InterruptedIOException if the caller was interrupted; likewise
   */
  <T> CompletableFuture<T> send(
      int operations, LongSupplier millis, Supplier<CompletableFuture<T>> sender)
      throws InterruptedIOException {
    try {
      if (!permits.tryAcquire(operations, 0, TimeUnit.NANOSECONDS)
          && !isAcquired(operations, millis.getAsLong())) {
        return CompletableFuture.failedFuture(
            new TimeoutIOException(
                ("nothing was written: the %d operations that callers may have under way on a table"
                        + " (deli.write.queue) left no room within the operation time-out")
                    .formatted(limit)));
      }
    } catch (InterruptedException e) {
      throw Futures.interrupted("interrupted while waiting to write", e);
    }
    CompletableFuture<T> answer;
    try {
      answer = sender.get();
    } catch (RuntimeException | Error e) {
      permits.release(operations);
      throw e;
    }
    FutureUtils.addListener(answer, (result, error) -> permits.release(operations));
    return answer;
  }

  private boolean isAcquired(int operations, long millis) throws InterruptedException {
    if (millis == 0) {
      permits.acquire(operations);
      return true;
    }
    return permits.tryAcquire(operations, millis, TimeUnit.MILLISECONDS);
  }
}
