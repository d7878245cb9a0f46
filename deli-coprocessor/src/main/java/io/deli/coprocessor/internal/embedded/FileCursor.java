package io.deli.coprocessor.internal.embedded;

import io.deli.coprocessor.internal.send.GcMetrics;
import java.io.IOException;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One file's candidates in the order of rows: those of the blocks that may hold some, each block
 * read once, and only when the scan comes to it.
 */
final class FileCursor {
  private final FileSketch sketch;
  private final Wanted wanted;
  private final GcMetrics metrics;
  private NavigableSet<byte[]> rows = Collections.emptyNavigableSet();
  private byte[] known = HConstants.EMPTY_BYTE_ARRAY;
  private boolean begun;
  private boolean exhausted;
  private int next;

  FileCursor(FileSketch sketch, Wanted wanted, GcMetrics metrics) {
    this.sketch = sketch;
    this.wanted = wanted;
    this.metrics = metrics;
  }

  /**
   * Goes on to a row, which must not be before the last one.
   *
   * @param end where the scan ends
   * @return whether a block is to be {@link #read}
   */
  boolean seek(byte[] row, byte[] end) {
    if (exhausted || Bytes.compareTo(row, known) < 0) {
      return false;
    }
    int reached = Math.max(next, sketch.blockOf(row));
    int from = begun ? next : reached;
    begun = true;
    next = reached;
    while (next < sketch.blocks().size() && !sketch.blocks().get(next).mayHold(wanted)) {
      next++;
    }
    metrics.blocksSkipped(next - from);
    exhausted =
        next == sketch.blocks().size() || !Rows.before(sketch.blocks().get(next).firstRow(), end);
    rows = Collections.emptyNavigableSet();
    return !exhausted;
  }

  /** Reads the block that {@link #seek} came to. */
  void read(KeyValueScanner file) throws IOException {
    NavigableSet<byte[]> found = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    BlockSketch block = sketch.blocks().get(next);
    byte[] end = sketch.endOf(next);
    file.seek(PrivateCellUtil.createFirstOnRow(block.firstRow()));
    // The last cell is not stepped over: that would read the block behind.
    for (int left = block.cells(); left > 0; left--) {
      Cell cell = left > 1 ? file.next() : file.peek();
      if (cell == null || !Rows.before(CellUtil.cloneRow(cell), end)) {
        break;
      }
      if (wanted.matches(cell)) {
        found.add(CellUtil.cloneRow(cell));
      }
    }
    metrics.blockRead();
    next++;
    rows = found;
    known = end;
    exhausted = end.length == 0;
  }

  /** The candidates, as far as they are known. */
  NavigableSet<byte[]> rows() {
    return rows;
  }

  /** The row up to which they are known, exclusive; empty if all are. */
  byte[] known() {
    return exhausted ? HConstants.EMPTY_END_ROW : known;
  }
}
