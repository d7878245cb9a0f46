package io.deli.client.internal.write;

import io.deli.client.internal.Futures;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Limits how many operations of blocking callers are in flight on one connection. Thread-safe. */
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
   * @throws InterruptedIOException if the caller was interrupted; nothing was sent then
   */
  <T> CompletableFuture<T> send(int operations, Supplier<CompletableFuture<T>> sender)
      throws InterruptedIOException {
    try {
      permits.acquire(operations);
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
}
