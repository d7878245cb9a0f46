package io.deli.client.internal.write;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * Serializes the refused writes of each row, in the order of their refusals. Thread-safe.
 *
 * <p>Sent at a time they would arrive in any order: of many timestamps drawn at once, few would not
 * be refused again.
 */
public final class RowQueues {
  private static final CompletableFuture<Void> FREE = CompletableFuture.completedFuture(null);

  private final ConcurrentMap<Object, CompletableFuture<Void>> last = new ConcurrentHashMap<>();

  /**
   * Starts a write when those before it in the row have ended, successfully or not.
   *
   * @param place of the row, equal to those of the others
   */
  <T> CompletableFuture<T> enqueue(Object place, Supplier<CompletableFuture<T>> write) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    CompletableFuture<Void> before = last.put(place, done);
    return (before == null ? FREE : before)
        .thenCompose(turn -> write.get())
        .whenComplete(
            (answer, error) -> {
              last.remove(place, done);
              done.complete(null);
            });
  }
}
