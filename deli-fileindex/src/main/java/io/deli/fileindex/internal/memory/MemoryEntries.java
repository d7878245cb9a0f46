package io.deli.fileindex.internal.memory;

import io.deli.strategy.Index;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * The entries of one index for what came into memory between two flushes; all of them, or none any
 * more. Thread-safe; what {@link #all} gave is never taken from, so that a reader needs no care.
 */
final class MemoryEntries {
  private final Index index;
  private final MemoryRoom room;
  private final AtomicLong taken = new AtomicLong();
  private volatile boolean ended;
  private volatile Optional<NavigableSet<MemoryEntry>> entries =
      Optional.of(new ConcurrentSkipListSet<>(MemoryEntry.ORDER));

  MemoryEntries(Index index, MemoryRoom room) {
    this.index = index;
    this.room = room;
  }

  /** Whether they are of just this index, as defined. */
  boolean isOf(Index other) {
    return index.definition().equals(other.definition());
  }

  /** Every entry that was added by now, and others while they come; empty if given up. */
  Optional<NavigableSet<MemoryEntry>> all() {
    return entries;
  }

  /** Adds the entries of a cell, if it is one of the indexed column. */
  void add(Cell cell) {
    Optional<NavigableSet<MemoryEntry>> all = entries;
    if (all.isEmpty()) {
      return;
    }
    try {
      if (cell.getType() != Cell.Type.Put || !index.column().matches(cell)) {
        return;
      }
      byte[] row = CellUtil.cloneRow(cell);
      for (byte[] token : index.storedTokens(CellUtil.cloneValue(cell))) {
        add(new MemoryEntry(token, cell.getTimestamp(), row), all.get());
      }
    } catch (Throwable e) {
      // Even for want of memory: lookups will do without, and the write, which is in the log
      // already, must not fail for it.
      giveUp();
    }
    if (ended) {
      // What was taken too late for the end to give it back.
      end();
    }
  }

  private void add(MemoryEntry entry, NavigableSet<MemoryEntry> to) {
    if (!room.take(entry.weight())) {
      giveUp();
    } else if (to.add(entry)) {
      taken.addAndGet(entry.weight());
    } else {
      room.giveBack(entry.weight());
    }
  }

  /** Knows nothing from now on. */
  void giveUp() {
    entries = Optional.empty();
    end();
  }

  /** Gives its room back; to be called when nobody will ask for it anew. */
  void end() {
    ended = true;
    room.giveBack(taken.getAndSet(0));
  }
}
