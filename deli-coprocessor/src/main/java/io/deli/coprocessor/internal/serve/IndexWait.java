package io.deli.coprocessor.internal.serve;

import io.deli.coprocessor.internal.send.EntrySender;
import io.deli.coprocessor.internal.send.IndexPut;
import io.deli.coprocessor.internal.send.WaitingRoom;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.regionserver.Region;

/** Has entries acknowledged while a handler waits, for a bounded time. Thread-safe. */
final class IndexWait {
  /** How soon a wait notices that the region is to close. */
  private static final long GLANCE_MILLIS = 50;

  private final Region region;
  private final EntrySender sender;
  private final WaitingRoom room;
  private final long timeoutMillis;

  IndexWait(Region region, EntrySender sender, WaitingRoom room, long timeoutMillis) {
    this.region = region;
    this.sender = sender;
    this.room = room;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Sends entries and waits.
   *
   * @throws IOException if one is not acknowledged; the client may try again
   */
  void send(List<IndexPut> puts) throws IOException {
    if (puts.isEmpty()) {
      return;
    }
    if (!room.enter()) {
      throw refusal(puts, "too many writes wait for indexes already");
    }
    try {
      await(puts, sender.send(puts, timeoutMillis));
    } finally {
      room.leave();
    }
  }

  private void await(List<IndexPut> puts, CompletableFuture<Void> sent) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    for (long left = timeoutMillis; left > 0; left = millisUntil(end)) {
      try {
        sent.get(Math.min(left, GLANCE_MILLIS), TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        if (region.isClosing()) {
          throw new NotServingRegionException(
              region.getRegionInfo().getRegionNameAsString() + " is closing");
        }
      } catch (ExecutionException e) {
        throw (IOException)
            refusal(puts, String.valueOf(e.getCause().getMessage())).initCause(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("interrupted while an index was waited for");
      }
    }
    throw refusal(puts, String.format(Locale.ROOT, "no answer within %d ms", timeoutMillis));
  }

  private static long millisUntil(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime());
  }

  private RegionTooBusyException refusal(List<IndexPut> puts, String reason) {
    String tables =
        puts.stream()
            .map(put -> put.table().getNameAsString())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    return new RegionTooBusyException(
        "table %s: index %s did not take the entries of a write, which is therefore not done (%s); try again, or disable the index"
            .formatted(region.getTableDescriptor().getTableName(), tables, reason));
  }
}
