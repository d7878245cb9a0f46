package io.deli.client.internal.write;

import io.deli.client.internal.Futures;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;

/**
 * Pipelines the batches of one caller: the entries of a batch, unless they travel with its rows,
 * are written while the previous batch goes to the base table, which batches reach in order. Not
 * thread-safe.
 */
public final class Pipeline {
  private static final int DEPTH = 2;

  private final IndexedTableWriter writer;
  private final InFlightLimiter limiter;
  private final Deque<CompletableFuture<Object[]>> underWay = new ArrayDeque<>(DEPTH);

  public Pipeline(IndexedTableWriter writer, InFlightLimiter limiter) {
    this.writer = writer;
    this.limiter = limiter;
  }

  /** Goes on by another writer, behind what is in flight. */
  public Pipeline by(IndexedTableWriter other) {
    Pipeline next = new Pipeline(other, limiter);
    next.underWay.addAll(underWay);
    return next;
  }

  /**
   * Starts a batch no larger than {@link InFlightLimiter#maxBatchSize}; waits while too many are in
   * flight.
   *
   * @return as {@link IndexedTableWriter#run}'s
   * @throws InterruptedIOException if the caller was interrupted; the batch has not begun then
   * @throws TimeoutIOException if too many are for the time of an operation; likewise
   */
  public CompletableFuture<Object[]> submit(WriteBatch batch)
      throws InterruptedIOException, TimeoutIOException {
    while (underWay.size() >= DEPTH) {
      Futures.awaitEnd(underWay.getFirst());
      underWay.removeFirst();
    }
    CompletableFuture<?> turn =
        underWay.isEmpty() ? CompletableFuture.completedFuture(null) : underWay.getLast();
    CompletableFuture<Object[]> answers =
        limiter.send(batch.size(), writer::ownOperationMillis, () -> writer.run(batch, turn));
    underWay.addLast(answers);
    return answers;
  }
}
