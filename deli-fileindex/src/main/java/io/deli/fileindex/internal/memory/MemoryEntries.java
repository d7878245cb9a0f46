package io.deli.fileindex.internal.memory;

import io.deli.strategy.Index;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * The entries of one index for what came into memory between two flushes; all of them, or none any
 * more. Thread-safe.
 *
 * <p>Writers append, and sort some thousand at a time, which the processor's cache holds. Who asks
 * sorts the rest and merges runs that are not much longer than the next (the logarithmic method),
 * so that there are few of them: what is flushed before anybody asks is never merged, and no writer
 * waits for that.
 */
final class MemoryEntries {
  private final Index index;
  private final MemoryRoom room;

  /** Held while runs are merged, and taken ahead of this object's own lock. */
  private final Object merging = new Object();

  private final MemoryRun.Builder unsorted = new MemoryRun.Builder();

  /** The runs since the last lookup. */
  private List<MemoryRun> unmerged = new ArrayList<>();

  /** The shortest is the last; each is twice as long as the next, at least. */
  private List<MemoryRun> runs = List.of();

  private long taken;
  private boolean ended;
  private volatile boolean known = true;

  /** The runs, while there is nothing beside them: lookups then need no lock. */
  private volatile Optional<List<MemoryRun>> all = Optional.empty();

  MemoryEntries(Index index, MemoryRoom room) {
    this.index = index;
    this.room = room;
  }

  /** Whether they are of just this index, as defined. */
  boolean isOf(Index other) {
    return index.definition().equals(other.definition());
  }

  /** Every entry that was added by now, in sorted lists that never change; empty if given up. */
  Optional<List<MemoryRun>> all() {
    Optional<List<MemoryRun>> complete = all;
    return complete.isPresent() ? complete : merged();
  }

  private Optional<List<MemoryRun>> merged() {
    synchronized (merging) {
      List<MemoryRun> merged;
      List<MemoryRun> added;
      synchronized (this) {
        sort();
        merged = runs;
        added = unmerged;
        unmerged = new ArrayList<>();
      }
      try {
        for (MemoryRun run : added) {
          merged = withRun(merged, run);
        }
      } catch (OutOfMemoryError e) {
        // What was taken is lost.
        giveUp();
      }
      synchronized (this) {
        if (!known) {
          return Optional.empty();
        }
        runs = merged;
        if (unsorted.isEmpty() && unmerged.isEmpty()) {
          all = Optional.of(merged);
        }
        return Optional.of(merged);
      }
    }
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
      for (byte[] token : index.storedTokens(CellUtil.cloneValue(cell))) {
        add(token, cell);
      }
    } catch (Throwable e) {
      // Even for want of memory: lookups will do without, and the write, which is in the log
      // already, must not fail for it.
      giveUp();
    }
  }

  private synchronized void add(byte[] token, Cell cell) {
    // What comes behind the end is of a snapshot that is gone; it is noted elsewhere, too.
    if (!known || ended) {
      return;
    }
    int weight = MemoryRun.weight(token, cell);
    if (!room.take(weight)) {
      giveUp();
      return;
    }
    taken += weight;
    all = Optional.empty();
    unsorted.add(token, cell);
    if (unsorted.isFull()) {
      sort();
    }
  }

  private void sort() {
    if (!unsorted.isEmpty()) {
      unmerged.add(unsorted.build());
      unsorted.clear();
    }
  }

  private static List<MemoryRun> withRun(List<MemoryRun> runs, MemoryRun added) {
    MemoryRun next = added;
    Deque<MemoryRun> all = new ArrayDeque<>(runs);
    while (!all.isEmpty() && all.getLast().size() < 2 * next.size()) {
      next = all.removeLast().and(next);
    }
    all.addLast(next);
    return List.copyOf(all);
  }

  /** Knows nothing from now on. */
  synchronized void giveUp() {
    known = false;
    all = Optional.empty();
    unsorted.clear();
    unmerged.clear();
    runs = List.of();
    end();
  }

  /** Gives its room back; to be called when nobody will ask for it anew. */
  synchronized void end() {
    ended = true;
    room.giveBack(taken);
    taken = 0;
  }
}
