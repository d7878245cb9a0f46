package io.deli.client.internal.write;

import io.deli.client.internal.Futures;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Pipelines the batches of one caller: the entries of a batch, unless they travel with its rows,
 * are written while the previous batch goes to the base table, which batches reach in order. Not
 * thread-safe.
 */
public final class Pipeline {
  private static final int DEPTH = 2;

  private final IndexedTableWriter writer;
  private final InFlightLimiter limiter;
  private final LongSupplier millis;
  private final Deque<CompletableFuture<Object[]>> underWay = new ArrayDeque<>(DEPTH);

  /**
   * @param millis the time to wait for room to send a batch, or 0 for any
   */
  public Pipeline(IndexedTableWriter writer, InFlightLimiter limiter, LongSupplier millis) {
    this.writer = writer;
    this.limiter = limiter;
    this.millis = millis;
  }

  /** Goes on by another writer, behind what is in flight. */
  public Pipeline by(IndexedTableWriter other) {
    Pipeline next = new Pipeline(other, limiter, millis);
    next.underWay.addAll(underWay);
    return next;
  }

  /**
   * Starts a batch no larger than {@link InFlightLimiter#maxBatchSize}; waits while too many are in
   * flight.
   *
   * @return as {@link IndexedTableWriter#run}'s
   * @throws InterruptedIOException if the caller was interrupted; the batch has not begun then
   */
  public CompletableFuture<Object[]> submit(WriteBatch batch) throws InterruptedIOException {
    while (underWay.size() >= DEPTH) {
      Futures.awaitEnd(underWay.getFirst());
      underWay.removeFirst();
    }
    CompletableFuture<?> turn =
        underWay.isEmpty() ? CompletableFuture.completedFuture(null) : underWay.getLast();
    CompletableFuture<Object[]> sent =
        limiter.send(batch.size(), millis, () -> writer.run(batch, turn));
    if (sent.isCompletedExceptionally()) {
      // There was no room. What follows must not overtake what is under way.
      return sent.exceptionally(batch::failed);
    }
    underWay.addLast(sent);
    return sent;
  }
}
