package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.collect.Collector.GcSettings;
import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.coprocessor.internal.send.GcMetrics.Count;
import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.coprocessor.spi.Contained;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The windows of one compaction: one being filled, behind those that are sealed, oldest first.
 *
 * <p>A window is sealed when what it holds, base cells and deletes, takes the memory that the
 * settings allow; a unit with more deletes than that goes on in the next one. No more is read while
 * as many windows are sealed as the settings allow. So a compaction holds so many windows, the one
 * being filled, and the piece of a row whose deletes fill them, whatever the rows are like. Not
 * thread-safe.
 */
final class Windows {
  private static final Logger LOG = LoggerFactory.getLogger(Windows.class);

  private final String store;
  private final GcSettings settings;
  private final RegionWaits waits;
  private final GcMetrics metrics;
  private final IndexRequests requests;
  private final Deque<Window> sealed = new ArrayDeque<>();
  private Window open = new Window();
  private boolean complained;

  Windows(
      String store,
      GcSettings settings,
      IndexDelete.Sender sender,
      RegionWaits waits,
      GcMetrics metrics) {
    this.store = store;
    this.settings = settings;
    this.waits = waits;
    this.metrics = metrics;
    requests = new IndexRequests(sender, settings, this::noteTrouble, waits::nanoTime);
  }

  GcMetrics metrics() {
    return metrics;
  }

  /** Whether no cell is held back. */
  boolean isEmpty() {
    return open.isEmpty() && sealed.isEmpty();
  }

  /** Whether nothing may be added before the oldest window is settled. */
  boolean isFull() {
    return sealed.size() >= settings.windows();
  }

  /**
   * Adds deletes of a unit until the windows are full.
   *
   * @return whether these are all; if not, the caller is to come again when they are not full
   */
  boolean add(Unit unit) {
    try {
      if (!Contained.call(() -> addDeletes(unit), IOException::new)) {
        return false;
      }
    } catch (IOException e) {
      // A tokenizer of the user's may throw anything; the compaction must not care.
      unit.refuse();
      if (!complained) {
        complained = true;
        LOG.error(
            "{}: cannot tell the entries of {}; they stay until this is cured",
            store,
            unit.piece().cells().get(0),
            e.getCause());
      }
    }
    open.end(unit);
    sealIfLarge();
    return true;
  }

  private boolean addDeletes(Unit unit) {
    Iterator<Map.Entry<TableName, Cell>> deletes = unit.deletes();
    while (!unit.isRefused() && deletes.hasNext()) {
      if (isFull()) {
        return false;
      }
      Map.Entry<TableName, Cell> delete = deletes.next();
      if (waits.isAbandoned() || requests.isGivenUp(delete.getKey())) {
        unit.refuse();
      } else {
        open.add(unit, delete);
        sealIfLarge();
      }
    }
    return true;
  }

  private void sealIfLarge() {
    if (open.bytes() >= settings.windowBytes()) {
      send();
    }
  }

  /** Seals the window being filled, and sends its deletes. */
  void send() {
    if (!open.isEmpty()) {
      metrics.add(Count.DELETES_HELD, open.seal());
      sealed.add(open);
      open = new Window();
      requests.advance(sealed);
    }
  }

  /**
   * The oldest window if it is settled: answered, or out of time.
   *
   * @param wait whether to wait for it, for a while; the caller is to come again
   */
  Window poll(boolean wait) throws InterruptedIOException {
    if (sealed.isEmpty()) {
      return null;
    }
    requests.advance(sealed);
    if (wait && !isSettled(sealed.peek())) {
      requests.waited(waits.glance(requests.someAnswer(), requests.patience(), metrics));
      requests.advance(sealed);
    }
    if (!isSettled(sealed.peek())) {
      return null;
    }
    metrics.add(Count.DELETES_HELD, -sealed.peek().cells());
    return sealed.poll();
  }

  private boolean isSettled(Window window) {
    return window.isAnswered() || waits.isAbandoned();
  }

  private void noteTrouble(TableName table, Throwable failure) {
    if (!waits.isAbandoned()) {
      metrics.add(Count.INDEXES_GIVEN_UP, 1);
      LOG.warn(
          "{}: index table {} refused deletes, acknowledged none for {} ms, or was waited for {}"
              + " times as long in all; this compaction keeps what it cannot collect, and a later"
              + " one will try again",
          store,
          table,
          settings.timeoutMillis(),
          IndexPace.WAITS,
          failure);
    }
  }

  void beforeShipped() {
    open.beforeShipped();
    sealed.forEach(Window::beforeShipped);
  }

  /** Discards all windows. */
  void close() {
    sealed.forEach(window -> metrics.add(Count.DELETES_HELD, -window.cells()));
    sealed.clear();
    open = new Window();
  }
}
