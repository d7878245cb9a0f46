package io.deli.coprocessor.internal.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/**
 * A plain merge of store files.
 *
 * <p>HBase's compaction scanner always passes cells through a query matcher, which drops the older
 * of two puts with equal coordinates whatever it is told to keep. Their index entries differ when
 * their values do, so that garbage collection must see both.
 */
public final class FileCells implements CellSource {
  private final KeyValueHeap heap;

  private FileCells(KeyValueHeap heap) {
    this.heap = heap;
  }

  /** Opens the files; readers of their own, as for any compaction. */
  public static FileCells open(HStore store, Collection<HStoreFile> files, long readPoint)
      throws IOException {
    List<StoreFileScanner> scanners =
        StoreFileScanner.getScannersForCompaction(files, true, readPoint);
    try {
      Cell start =
          PrivateCellUtil.createFirstDeleteFamilyCellOnRow(
              HConstants.EMPTY_START_ROW, store.getColumnFamilyDescriptor().getName());
      for (StoreFileScanner scanner : scanners) {
        scanner.seek(start);
      }
      return new FileCells(new KeyValueHeap(new ArrayList<>(scanners), store.getComparator()));
    } catch (IOException | RuntimeException e) {
      scanners.forEach(StoreFileScanner::close);
      throw e;
    }
  }

  @Override
  public Cell next() throws IOException {
    return heap.next();
  }

  @Override
  public void shipped() throws IOException {
    heap.shipped();
  }

  @Override
  public void close() {
    heap.close();
  }
}
