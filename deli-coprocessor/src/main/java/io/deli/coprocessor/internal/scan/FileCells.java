package io.deli.coprocessor.internal.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/**
 * A plain merge of store files.
 *
 * <p>HBase's compaction scanner always passes cells through a query matcher, which drops the older
 * of two puts with equal coordinates whatever it is told to keep. Their index entries differ when
 * their values do, so that garbage collection must see both.
 */
public final class FileCells implements CellSource {
  private final Merge merge;
  private final Map<String, Replay> replays;
  private boolean covered;

  private FileCells(Merge merge, Map<String, Replay> replays) {
    this.merge = merge;
    this.replays = replays;
  }

  /** Opens the files; readers of their own, as for any compaction. */
  public static FileCells open(HStore store, Collection<HStoreFile> files, long readPoint)
      throws IOException {
    return open(store, files, readPoint, Map.of());
  }

  /**
   * Opens the files; readers of their own, as for any compaction.
   *
   * @param replays of the earlier runs over some of the files
   */
  public static FileCells open(
      HStore store, Collection<HStoreFile> files, long readPoint, Map<HStoreFile, Replay> replays)
      throws IOException {
    return merged(
        store,
        StoreFileScanner.getScannersForCompaction(files, true, readPoint),
        HConstants.EMPTY_START_ROW,
        replays);
  }

  /**
   * Opens the files for a few rows, every cell of them: with the readers that lookups use, which
   * are open already, and past the block cache.
   *
   * @param row where to begin
   * @param replays of the earlier runs over some of the files
   * @throws IOException also if a compaction has replaced one of the files
   */
  public static FileCells near(
      HStore store, Collection<HStoreFile> files, byte[] row, Map<HStoreFile, Replay> replays)
      throws IOException {
    List<StoreFileScanner> scanners;
    // A file that is the store's while its scanner is opened is kept until that is closed.
    store.getStoreEngine().readLock();
    try {
      if (!store.getStorefiles().containsAll(files)) {
        throw new IOException("a file of " + store + " was compacted away");
      }
      scanners =
          StoreFileScanner.getScannersForStoreFiles(
              files, false, true, false, false, Long.MAX_VALUE);
    } finally {
      store.getStoreEngine().readUnlock();
    }
    return merged(store, scanners, row, replays);
  }

  private static FileCells merged(
      HStore store, List<StoreFileScanner> scanners, byte[] row, Map<HStoreFile, Replay> replays)
      throws IOException {
    Map<String, Replay> byName = new HashMap<>();
    // Unique in a store; a path may come qualified or not.
    replays.forEach((file, replay) -> byName.put(file.getPath().getName(), replay));
    try {
      Cell start =
          PrivateCellUtil.createFirstDeleteFamilyCellOnRow(
              row, store.getColumnFamilyDescriptor().getName());
      for (StoreFileScanner scanner : scanners) {
        scanner.seek(start);
      }
      return new FileCells(new Merge(scanners, store.getComparator()), byName);
    } catch (IOException | RuntimeException e) {
      scanners.forEach(StoreFileScanner::close);
      throw e;
    }
  }

  @Override
  public Cell next() throws IOException {
    Replay replay = replays.isEmpty() ? null : replays.get(merge.fileOnTop());
    Cell cell = merge.next();
    covered = replay != null && cell != null && replay.isDying(cell);
    return cell;
  }

  @Override
  public boolean isCovered() {
    return covered;
  }

  @Override
  public void shipped() throws IOException {
    for (Replay replay : replays.values()) {
      replay.beforeShipped();
    }
    merge.shipped();
  }

  @Override
  public void close() {
    merge.close();
  }

  /** HBase's heap, which also tells of which file the next cell is. */
  private static final class Merge extends KeyValueHeap {
    Merge(List<? extends KeyValueScanner> scanners, CellComparator order) throws IOException {
      super(new ArrayList<>(scanners), order);
    }

    /** Null behind the last cell. */
    String fileOnTop() {
      return current == null ? null : current.getFilePath().getName();
    }
  }
}
