package io.deli.fileindex.internal.memory;

import io.deli.strategy.Index;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * The entries of one index for what came into memory between two flushes; all of them, or none any
 * more. Thread-safe.
 *
 * <p>Writers append, since what is flushed before anybody asks need not have been in order. Some
 * thousand at a time, and whatever there is when somebody asks, become a sorted run; runs that are
 * not much longer than the next are merged (the logarithmic method), so that there are few of them.
 */
final class MemoryEntries {
  private static final int RUN = 4_096;

  private final Index index;
  private final MemoryRoom room;
  private final List<MemoryEntry> unsorted = new ArrayList<>();

  /** The shortest is the last; each is twice as long as the next, at least. */
  private final Deque<List<MemoryEntry>> runs = new ArrayDeque<>();

  private long taken;
  private boolean ended;
  private volatile boolean known = true;

  MemoryEntries(Index index, MemoryRoom room) {
    this.index = index;
    this.room = room;
  }

  /** Whether they are of just this index, as defined. */
  boolean isOf(Index other) {
    return index.definition().equals(other.definition());
  }

  /** Every entry that was added by now, in sorted lists that never change; empty if given up. */
  synchronized Optional<List<List<MemoryEntry>>> all() {
    if (!known) {
      return Optional.empty();
    }
    sort();
    return Optional.of(List.copyOf(runs));
  }

  /** Adds the entries of a cell, if it is one of the indexed column. */
  void add(Cell cell) {
    if (!known) {
      return;
    }
    try {
      if (cell.getType() != Cell.Type.Put || !index.column().matches(cell)) {
        return;
      }
      byte[] row = CellUtil.cloneRow(cell);
      for (byte[] token : index.storedTokens(CellUtil.cloneValue(cell))) {
        add(new MemoryEntry(token, cell.getTimestamp(), row));
      }
    } catch (Throwable e) {
      // Even for want of memory: lookups will do without, and the write, which is in the log
      // already, must not fail for it.
      giveUp();
    }
  }

  private synchronized void add(MemoryEntry entry) {
    // What comes behind the end is of a snapshot that is gone; it is noted elsewhere, too.
    if (!known || ended) {
      return;
    }
    if (!room.take(entry.weight())) {
      giveUp();
      return;
    }
    taken += entry.weight();
    unsorted.add(entry);
    if (unsorted.size() == RUN) {
      sort();
    }
  }

  private void sort() {
    if (unsorted.isEmpty()) {
      return;
    }
    MemoryEntry[] sorted = unsorted.toArray(MemoryEntry[]::new);
    Arrays.sort(sorted, MemoryEntry.ORDER);
    unsorted.clear();
    List<MemoryEntry> next = Arrays.asList(sorted);
    while (!runs.isEmpty() && runs.getLast().size() < 2 * next.size()) {
      next = merge(runs.removeLast(), next);
    }
    runs.addLast(next);
  }

  private static List<MemoryEntry> merge(List<MemoryEntry> one, List<MemoryEntry> other) {
    MemoryEntry[] merged = new MemoryEntry[one.size() + other.size()];
    int i = 0;
    int j = 0;
    for (int k = 0; k < merged.length; k++) {
      boolean first =
          j == other.size()
              || (i < one.size() && MemoryEntry.ORDER.compare(one.get(i), other.get(j)) <= 0);
      merged[k] = first ? one.get(i++) : other.get(j++);
    }
    return Arrays.asList(merged);
  }

  /** Knows nothing from now on. */
  synchronized void giveUp() {
    known = false;
    unsorted.clear();
    runs.clear();
    end();
  }

  /** Gives its room back; to be called when nobody will ask for it anew. */
  synchronized void end() {
    ended = true;
    room.giveBack(taken);
    taken = 0;
  }
}
