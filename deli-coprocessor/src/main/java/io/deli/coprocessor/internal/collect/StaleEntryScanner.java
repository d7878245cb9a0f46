package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.collect.Collector.GcSettings;
import io.deli.coprocessor.internal.scan.Coordinates;
import io.deli.coprocessor.internal.scan.ForwardingScanner;
import io.deli.coprocessor.internal.send.BaseTables;
import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.coprocessor.internal.send.GcMetrics.Count;
import io.deli.coprocessor.spi.Contained;
import io.deli.entry.Entry;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scanner of an index table's compaction that leaves out stale entries: reads ahead a few
 * windows of cells, has the base table asked about the entries of each, and gives a window's cells
 * when it is answered.
 *
 * <p>A cell that has more entries than a window takes is in the one that has the last of them.
 *
 * <p>The first windows are small, and the next ones grow and shrink with the time that answers take
 * ({@link IndexPace}), so that base regions set the pace. One that fails, or is not answered for
 * the time-out, stays whole; if several in a row do, or the compaction has waited for too long in
 * all, or the region closes, it asks no more and passes on what it reads. The next compaction
 * begins to ask where this one gave up.
 */
final class StaleEntryScanner extends ForwardingScanner {
  private static final Logger LOG = LoggerFactory.getLogger(StaleEntryScanner.class);

  /** Heap size of an entry, without its token and key. */
  private static final long ENTRY_BYTES = 200;

  /** Copies of consecutive cells, and their entries: not those that windows before it have. */
  private static final class Window {
    private final List<Cell> cells = new ArrayList<>();
    private final Set<Entry> entries = new LinkedHashSet<>();
    private long bytes;
    private long askedAt;
    private boolean noted;
    private CompletableFuture<Set<Entry>> stale = CompletableFuture.completedFuture(Set.of());

    Set<Entry> answer() {
      return stale.isDone() && !stale.isCompletedExceptionally() ? stale.join() : Set.of();
    }
  }

  private final Index index;
  private final BaseTables bases;
  private final GcSettings settings;
  private final RegionWaits waits;
  private final GcMetrics metrics;
  private final IndexPace pace;
  private final AtomicReference<byte[]> next;
  private final byte[] first;
  private final List<Cell> batch = new ArrayList<>();

  /** Copies of cells that are in no window yet. */
  private final Deque<Cell> read = new ArrayDeque<>();

  /** The entries of the first of these that are in no window; null if it is not begun. */
  private Iterator<Entry> rest;

  /** Stale entries of the window that is emitted, and of its first cell in those before it. */
  private final Set<Entry> stale = new HashSet<>();

  private final Deque<Window> asked = new ArrayDeque<>();
  private Window open = new Window();
  private boolean ended;

  /**
   * @param next the row at which to begin to ask, and then the one at which to begin the next time
   */
  StaleEntryScanner(
      InternalScanner scanner,
      Index index,
      BaseTables bases,
      GcSettings settings,
      RegionWaits waits,
      GcMetrics metrics,
      AtomicReference<byte[]> next) {
    super(scanner);
    this.index = index;
    this.bases = bases;
    this.settings = settings;
    this.waits = waits;
    this.metrics = metrics;
    this.next = next;
    this.first = next.getAndSet(HConstants.EMPTY_START_ROW);
    this.pace = new IndexPace(TimeUnit.MILLISECONDS.toNanos(settings.timeoutMillis()));
  }

  @Override
  public boolean next(List<Cell> out, ScannerContext context) throws IOException {
    if (isRead() || asked.size() >= settings.windows()) {
      long patience = Math.max(0, pace.patience(waits.nanoTime()));
      pace.waited(waits.glance(asked.peek().stale, patience, metrics));
    } else {
      read(context);
    }
    harvest();
    while (!asked.isEmpty() && isSettled(asked.peek())) {
      emit(asked.poll(), out);
    }
    return !isRead() || !asked.isEmpty();
  }

  private boolean isRead() {
    return ended && read.isEmpty();
  }

  private void read(ScannerContext context) throws IOException {
    if (read.isEmpty()) {
      ended = !scanner.next(batch, context);
      batch.forEach(cell -> read.add(KeyValueUtil.copyToNewKeyValue(cell)));
      batch.clear();
    }
    while (!read.isEmpty() && !isFull()) {
      add(read.peek());
    }
    if (isRead() || isGivenUp() || isFull()) {
      ask();
    }
  }

  private boolean isFull() {
    return open.entries.size() >= pace.size() || open.bytes >= Math.max(1, settings.windowBytes());
  }

  private void add(Cell cell) {
    if (rest == null) {
      boolean asks =
          !isGivenUp()
              && CellComparator.getInstance().compareRows(cell, first, 0, first.length) >= 0;
      rest = asks ? entries(cell).iterator() : Collections.emptyIterator();
    }
    while (rest.hasNext() && !isFull()) {
      Entry entry = rest.next();
      open.entries.add(entry);
      open.bytes += ENTRY_BYTES + entry.token().length + entry.key().length;
    }
    if (!rest.hasNext()) {
      rest = null;
      open.cells.add(read.remove());
      open.bytes += cell.heapSize();
    }
  }

  /** The entries in a cell; none of a marker, nor of what a newer DELI has written. */
  private List<Entry> entries(Cell cell) {
    return Coordinates.isPut(cell)
        ? Contained.orElse(() -> index.entries(Result.create(List.of(cell))), e -> List.of())
        : List.of();
  }

  private boolean isGivenUp() {
    return pace.isGivenUp() || waits.isAbandoned();
  }

  private void ask() {
    long now = waits.nanoTime();
    open.noted = isGivenUp() || open.entries.isEmpty();
    if (!open.noted) {
      open.askedAt = now;
      pace.sent(now);
      metrics.add(Count.ENTRIES_CHECKED, open.entries.size());
      open.stale = bases.stale(index, List.copyOf(open.entries), settings.timeoutMillis());
    }
    asked.add(open);
    open = new Window();
  }

  private boolean isSettled(Window window) {
    return window.stale.isDone() || isGivenUp();
  }

  /** Takes note of answers; gives up if there will be none. */
  private void harvest() {
    long now = waits.nanoTime();
    for (Window window : asked) {
      if (!window.noted && window.stale.isDone()) {
        window.noted = true;
        Optional<Throwable> failure =
            window.stale.isCompletedExceptionally()
                ? Optional.of(window.stale.handle((done, e) -> e).join())
                : Optional.empty();
        int entries = window.entries.size();
        if (failure.isEmpty()) {
          pace.acknowledged(now);
        }
        pace.answered(
            entries, failure.isEmpty() ? entries : 0, now - window.askedAt, failure.orElse(null));
      }
    }
    if (!isGivenUp() && pace.isVain(now)) {
      pace.giveUp();
      next.set(unanswered());
      metrics.add(Count.INDEXES_GIVEN_UP, 1);
      LOG.warn(
          "table {} does not tell which entries of {} are stale; this compaction keeps them, and the"
              + " next one goes on from here",
          index.baseTable(),
          index.table(),
          pace.failure());
    }
  }

  /** The row from which on nothing is known. */
  private byte[] unanswered() {
    return Stream.concat(
            Stream.concat(asked.stream(), Stream.of(open))
                .filter(window -> !window.noted || window.stale.isCompletedExceptionally())
                .flatMap(window -> window.cells.stream()),
            read.stream())
        .findFirst()
        .map(CellUtil::cloneRow)
        .orElse(HConstants.EMPTY_START_ROW);
  }

  private void emit(Window window, List<Cell> out) {
    Set<Entry> answer = window.answer();
    metrics.add(Count.ENTRIES_DROPPED, answer.size());
    stale.addAll(answer);
    for (Cell cell : window.cells) {
      Optional<Cell> left =
          !stale.isEmpty() && entries(cell).stream().anyMatch(stale::contains)
              ? Contained.orElse(
                  () -> index.strategy().without(index, cell, stale), e -> Optional.of(cell))
              : Optional.of(cell);
      left.ifPresent(out::add);
    }
    if (!window.cells.isEmpty()) {
      stale.retainAll(answer);
    }
  }

  @Override
  public void close() throws IOException {
    asked.clear();
    super.close();
  }
}
