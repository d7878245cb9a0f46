package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.send.DeleteSender;
import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.coprocessor.internal.send.IndexDelete;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The windows of one compaction: one being filled, behind those whose deletes are under way, oldest
 * first. An index table that once fails to acknowledge in time is not asked again in this
 * compaction, so that its wait is bounded by one time-out for each table. Not thread-safe.
 */
final class Windows {
  private static final Logger LOG = LoggerFactory.getLogger(Windows.class);

  /** So often a waiting compaction looks whether HBase wants it to stop. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String store;
  private final GcSettings settings;
  private final DeleteSender sender;
  private final RegionWaits waits;
  private final GcMetrics metrics;
  private final Deque<Window> flying = new ArrayDeque<>();
  private final Set<TableName> troubled = new HashSet<>();
  private Window open = new Window();

  Windows(
      String store,
      GcSettings settings,
      DeleteSender sender,
      RegionWaits waits,
      GcMetrics metrics) {
    this.store = store;
    this.settings = settings;
    this.sender = sender;
    this.waits = waits;
    this.metrics = metrics;
  }

  /** Whether no cell is held back. */
  boolean isEmpty() {
    return open.bytes() == 0 && flying.isEmpty();
  }

  /** Whether another window must not be begun before the oldest is settled. */
  boolean isFull() {
    return flying.size() >= settings.windows();
  }

  /** Whether deletes for the table are pointless now. */
  boolean isTroubled(TableName table) {
    return waits.isAbandoned() || troubled.contains(table);
  }

  /** The deletes of the window being filled. */
  DeleteBatch batch() {
    return open.batch();
  }

  void add(Unit unit) {
    open.add(unit);
    if (open.bytes() >= settings.windowBytes()) {
      send();
    }
  }

  /** Sends what is held back. */
  void send() {
    if (open.bytes() == 0) {
      return;
    }
    Window sealed = open;
    open = new Window();
    flying.add(sealed);
    if (!sealed.batch().isEmpty()) {
      sealed.flying(sender.send(sealed.seal(), settings.timeoutMillis()), System.nanoTime());
    }
  }

  /**
   * The oldest window if it is settled: answered, or out of time.
   *
   * @param wait whether to wait for it, for a while; the caller is to come again
   */
  Window poll(boolean wait) throws InterruptedIOException {
    Window oldest = flying.peek();
    if (oldest == null || !(isSettled(oldest) || (wait && settles(oldest)))) {
      return null;
    }
    noteTrouble(oldest);
    return flying.poll();
  }

  private boolean isSettled(Window window) {
    return window.answered().isDone() || waits.isAbandoned() || nanosLeft(window) <= 0;
  }

  private boolean settles(Window window) throws InterruptedIOException {
    long begin = System.nanoTime();
    waits.await(window.answered(), Math.min(nanosLeft(window), SLICE_NANOS));
    metrics.waited(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    return isSettled(window);
  }

  private long nanosLeft(Window window) {
    return TimeUnit.MILLISECONDS.toNanos(settings.timeoutMillis())
        - (System.nanoTime() - window.sentAt());
  }

  private void noteTrouble(Window window) {
    for (IndexDelete delete : window.missing()) {
      if (troubled.add(delete.table()) && !waits.isAbandoned()) {
        metrics.indexGivenUp();
        LOG.warn(
            "{}: index table {} did not acknowledge deletes within {} ms; this compaction keeps"
                + " what it cannot collect, and a later one will try again",
            store,
            delete.table(),
            settings.timeoutMillis(),
            delete.failure().orElse(null));
      }
    }
  }

  void beforeShipped() {
    open.beforeShipped();
    flying.forEach(Window::beforeShipped);
  }
}
