package io.deli.client.internal.write;

import io.deli.client.internal.Failures;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * Batches of one caller on their way: the entries of one are written while the one before it goes
 * to the base table, which batches reach in their order. Not thread-safe.
 */
public final class Pipeline {
  private static final int DEPTH = 2;

  private final Writer writer;
  private final Room room;
  private final Deque<CompletableFuture<Object[]>> underWay = new ArrayDeque<>(DEPTH);

  public Pipeline(Writer writer, Room room) {
    this.writer = writer;
    this.room = room;
  }

  /**
   * Begins a batch no larger than {@link Room#share}; waits while too many are under way.
   *
   * @return as {@link Writer#run}'s
   * @throws InterruptedIOException if the caller was interrupted; the batch has not begun then
   */
  public CompletableFuture<Object[]> submit(Batch batch) throws InterruptedIOException {
    while (underWay.size() >= DEPTH) {
      Failures.awaitEnd(underWay.getFirst());
      underWay.removeFirst();
    }
    room.enter(batch.size());
    CompletableFuture<?> turn =
        underWay.isEmpty() ? CompletableFuture.completedFuture(null) : underWay.getLast();
    CompletableFuture<Object[]> answers = writer.run(batch, turn);
    room.leaveWith(answers, batch.size());
    underWay.addLast(answers);
    return answers;
  }
}
