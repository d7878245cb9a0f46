package io.deli.client.internal.write;

import io.deli.client.internal.Futures;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;

/**
 * Limits how many operations of a connection's blocking callers are in flight to one table.
 * Thread-safe.
 */
public final class InFlightLimiter {
  private final int limit;
  private final Semaphore permits;

  public InFlightLimiter(int limit) {
    this.limit = limit;
    this.permits = new Semaphore(limit);
  }

  /**
   * Returns the largest batch that one caller may send, so that several callers share the limit.
   */
  public int maxBatchSize() {
    return Math.max(1, limit / 4);
  }

  /**
   * Waits until so many operations may be sent, and sends them. They count until the answer comes.
   *
   * @param millis the time to wait, or 0 for any; asked for where there is something to wait for
   * @throws InterruptedIOException if the caller was interrupted; nothing was sent then
   * @throws TimeoutIOException if the time is up; nothing was sent then
   */
  <T> CompletableFuture<T> send(
      int operations, LongSupplier millis, Supplier<CompletableFuture<T>> sender)
      throws InterruptedIOException, TimeoutIOException {
    try {
      if (!permits.tryAcquire(operations, 0, TimeUnit.NANOSECONDS)) {
        await(operations, millis.getAsLong());
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
    Futures.onComplete(answer, (result, error) -> permits.release(operations));
    return answer;
  }

  private void await(int operations, long millis) throws InterruptedException, TimeoutIOException {
    if (millis == 0) {
      permits.acquire(operations);
    } else if (!permits.tryAcquire(operations, millis, TimeUnit.MILLISECONDS)) {
      throw new TimeoutIOException(
          "no room within %d ms among the %d operations that may be under way on the table (deli.write.queue)"
              .formatted(millis, limit));
    }
  }
}
