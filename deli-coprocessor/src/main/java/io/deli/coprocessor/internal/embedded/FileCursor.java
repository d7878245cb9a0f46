package io.deli.coprocessor.internal.embedded;

import io.deli.coprocessor.internal.send.GcMetrics;
import java.io.IOException;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
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
   * @return whether a block is to be {@link #read}
   */
  boolean seek(byte[] row) {
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
        next == sketch.blocks().size()
            || !Rows.before(sketch.blocks().get(next).firstRow(), wanted.end());
    rows = Collections.emptyNavigableSet();
    return !exhausted;
  }

  /** Reads the block that {@link #seek} came to. */
  void read(KeyValueScanner file) throws IOException {
    NavigableSet<byte[]> found = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    sketch.read(
        next,
        file,
        cell -> {
          if (wanted.matches(cell)) {
            found.add(CellUtil.cloneRow(cell));
          }
        });
    metrics.blockRead();
    known = sketch.endOf(next);
    next++;
    rows = found;
    exhausted = known.length == 0;
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
