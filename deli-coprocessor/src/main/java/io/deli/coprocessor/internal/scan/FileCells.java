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
   * @param replays what is known of some of the files
   */
  public static FileCells open(
      HStore store, Collection<HStoreFile> files, long readPoint, Map<HStoreFile, Replay> replays)
      throws IOException {
    Map<String, Replay> byName = new HashMap<>();
    // Unique in a store; a path may come qualified or not.
    replays.forEach((file, replay) -> byName.put(file.getPath().getName(), replay));
    List<StoreFileScanner> scanners =
        StoreFileScanner.getScannersForCompaction(files, true, readPoint);
    try {
      Cell start =
          PrivateCellUtil.createFirstDeleteFamilyCellOnRow(
              HConstants.EMPTY_START_ROW, store.getColumnFamilyDescriptor().getName());
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
