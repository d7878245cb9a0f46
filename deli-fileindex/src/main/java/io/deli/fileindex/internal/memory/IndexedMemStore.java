package io.deli.fileindex.internal.memory;

import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.exceptions.UnexpectedStateException;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.MemStore;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.apache.hadoop.hbase.regionserver.MemStoreSizing;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;

/**
 * A store's memory, with indexes of its own. All that HBase does with memory it does with the one
 * that it had; what passes here is noted. Thread-safe.
 *
 * <p>The entries of what came between two flushes are together. They leave when the snapshot is
 * cleared that was taken at the end of that time: then every version that was in memory when it was
 * taken is in a file. A write that meets the taking of a snapshot may land on either side of it, so
 * it is noted on both.
 */
public final class IndexedMemStore implements MemStore {
  private final MemStore cells;
  private final List<Index> indexes;
  private final MemoryRoom room;
  private volatile Generations generations;

  /**
   * @param current of what came since the last snapshot
   * @param leaving of what came before, while that is being flushed
   */
  private record Generations(Generation current, Optional<Generation> leaving) {
    List<MemoryEntries> entries() {
      if (leaving.isEmpty()) {
        return current.byIndex;
      }
      List<MemoryEntries> all = new ArrayList<>(current.byIndex);
      all.addAll(leaving.get().byIndex);
      return all;
    }
  }

  /** The cells that came between two snapshots. */
  private static final class Generation {
    private final List<MemoryEntries> byIndex;

    Generation(List<MemoryEntries> byIndex) {
      this.byIndex = byIndex;
    }

    void note(Iterable<Cell> added) {
      for (Cell cell : added) {
        for (MemoryEntries each : byIndex) {
          each.add(cell);
        }
      }
    }

    void giveUp() {
      byIndex.forEach(MemoryEntries::giveUp);
    }

    void end() {
      byIndex.forEach(MemoryEntries::end);
    }
  }

  /**
   * To be used instead of another from now on, to which nothing is written meanwhile.
   *
   * @param indexes of columns of the store
   */
  public IndexedMemStore(MemStore cells, List<Index> indexes, MemoryRoom room) {
    this.cells = cells;
    this.indexes = List.copyOf(indexes);
    this.room = room;
    generations = new Generations(generation(), Optional.empty());
    if (cells.size().getCellsCount() > 0 || cells.getSnapshotSize().getCellsCount() > 0) {
      generations.current().giveUp();
    }
  }

  private Generation generation() {
    return new Generation(indexes.stream().map(index -> new MemoryEntries(index, room)).toList());
  }

  /**
   * The entries of an index, of all that is in memory now; empty if they are not known. To be asked
   * ahead of the list of the store's files, or under the lock under which that is read.
   */
  public Optional<MemoryView> entries(Index index) {
    List<MemoryRun> runs = new ArrayList<>();
    boolean known = false;
    for (MemoryEntries each : generations.entries()) {
      if (each.isOf(index)) {
        Optional<List<MemoryRun>> all = each.all();
        if (all.isEmpty()) {
          return Optional.empty();
        }
        runs.addAll(all.get());
        known = true;
      }
    }
    return known ? Optional.of(new MemoryView(runs)) : Optional.empty();
  }

  /** Ahead of the write. */
  private Generation note(Iterable<Cell> added) {
    Generation current = generations.current();
    current.note(added);
    return current;
  }

  /** Behind the write. */
  private void noteAgain(Iterable<Cell> added, Generation noted) {
    if (generations.current() != noted) {
      note(added);
    }
  }

  @Override
  public void add(Cell cell, MemStoreSizing sizing) {
    add(List.of(cell), sizing);
  }

  @Override
  public void add(Iterable<Cell> added, MemStoreSizing sizing) {
    Generation noted = note(added);
    cells.add(added, sizing);
    noteAgain(added, noted);
  }

  @Override
  public void upsert(Iterable<Cell> added, long readPoint, MemStoreSizing sizing) {
    Generation noted = note(added);
    cells.upsert(added, readPoint, sizing);
    noteAgain(added, noted);
  }

  @Override
  public synchronized MemStoreSnapshot snapshot() {
    if (generations.leaving().isEmpty()) {
      generations = new Generations(generation(), Optional.of(generations.current()));
    }
    MemStoreSnapshot snapshot = cells.snapshot();
    if (cells.size().getCellsCount() > 0) {
      // Something was left out of the snapshot, and the entries that leave with it may be of that.
      generations.current().giveUp();
    } else if (snapshot.getCellsCount() == 0) {
      // Nothing is flushed, so HBase will not clear it.
      endLeaving();
    }
    return snapshot;
  }

  @Override
  public synchronized void clearSnapshot(long id) throws UnexpectedStateException {
    cells.clearSnapshot(id);
    endLeaving();
  }

  private void endLeaving() {
    Optional<Generation> gone = generations.leaving();
    generations = new Generations(generations.current(), Optional.empty());
    gone.ifPresent(Generation::end);
  }

  @Override
  public synchronized void close() {
    cells.close();
    generations.entries().forEach(MemoryEntries::giveUp);
  }

  @Override
  public MemStoreSize getFlushableSize() {
    return cells.getFlushableSize();
  }

  @Override
  public MemStoreSize getSnapshotSize() {
    return cells.getSnapshotSize();
  }

  @Override
  public long timeOfOldestEdit() {
    return cells.timeOfOldestEdit();
  }

  @Override
  public List<KeyValueScanner> getScanners(long readPoint) throws IOException {
    return cells.getScanners(readPoint);
  }

  @Override
  public MemStoreSize size() {
    return cells.size();
  }

  @Override
  public long preFlushSeqIDEstimation() {
    return cells.preFlushSeqIDEstimation();
  }

  @Override
  public boolean isSloppy() {
    return cells.isSloppy();
  }

  @Override
  public void startReplayingFromWAL() {
    cells.startReplayingFromWAL();
  }

  @Override
  public void stopReplayingFromWAL() {
    cells.stopReplayingFromWAL();
  }
}
