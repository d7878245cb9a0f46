package io.deli.client.internal.write;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;

/**
 * Serializes the refused writes of each row, in the order of their refusals. Thread-safe.
 *
 * <p>Sent together they would be refused again: of many timestamps drawn at once, few arrive in
 * order.
 */
public final class RowQueues {
  private static final CompletableFuture<Void> FREE = CompletableFuture.completedFuture(null);

  private record Place(TableName table, ByteBuffer row) {}

  private final ConcurrentMap<Place, CompletableFuture<Void>> last = new ConcurrentHashMap<>();

  /** Starts a write when those before it in the row have ended, successfully or not. */
  <T> CompletableFuture<T> enqueue(
      TableName table, ByteBuffer row, Supplier<CompletableFuture<T>> write) {
    Place place = new Place(table, row);
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
