package io.deli.client.internal.write;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;

/**
 * Has the refused writes of a row go one at a time, in the order in which they were refused.
 * Thread-safe.
 *
 * <p>Together they would refuse one another: of many timestamps that are drawn at once, few arrive
 * in their order.
 */
public final class RowTurns {
  private static final CompletableFuture<Void> FREE = CompletableFuture.completedFuture(null);

  private record Place(TableName table, ByteBuffer row) {}

  private final ConcurrentMap<Place, CompletableFuture<Void>> last = new ConcurrentHashMap<>();

  /** Begins a write when those before it are done; it is done when its future is, however. */
  <T> CompletableFuture<T> take(
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
