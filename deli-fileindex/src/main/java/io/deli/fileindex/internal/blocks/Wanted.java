package io.deli.fileindex.internal.blocks;

import io.deli.coprocessor.spi.Contained;
import io.deli.fileindex.internal.memory.MemoryEntry;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a scan looks for in the parts of a store: versions of the indexed column with a token in a
 * range and a timestamp in another.
 *
 * @param start first row that the scan may have in this region
 * @param end where it ends, exclusive
 * @param inOrder whether rows are looked at in their order, so that it is enough to know the first
 */
public record Wanted(
    Index index, TokenRange tokens, TimeRange times, byte[] start, byte[] end, boolean inOrder) {
  /** The same without the rows before one. */
  Wanted from(byte[] row) {
    return Bytes.equals(row, start) ? this : new Wanted(index, tokens, times, row, end, inOrder);
  }

  /** Whether a version may be wanted whose timestamp is one of these or between them. */
  public boolean mayBeOf(long oldest, long newest) {
    return times.isAllTime() || (oldest < times.getMax() && newest >= times.getMin());
  }

  /** Whether the row is in the range. */
  boolean isInRange(Cell cell) {
    return CellComparator.getInstance().compareRows(cell, start, 0, start.length) >= 0
        && Rows.before(cell, end);
  }

  /** Whether a row, of which there may be more bytes behind, is in the range. */
  public boolean isInRange(byte[] row, int length) {
    return Bytes.compareTo(row, 0, length, start, 0, start.length) >= 0
        && (end.length == 0 || Bytes.compareTo(row, 0, length, end, 0, end.length) < 0);
  }

  /** Whether the entry is of such a version in the range of rows. */
  boolean matches(MemoryEntry entry) {
    return tokens.contains(entry.token())
        && times.withinTimeRange(entry.timestamp())
        && isInRange(entry.row(), entry.row().length);
  }

  /** Whether the cell is such a version, if it turns out to be visible. */
  boolean matches(Cell cell) {
    if (cell.getType() != Cell.Type.Put
        || !index.column().matches(cell)
        || !times.withinTimeRange(cell.getTimestamp())) {
      return false;
    }
    // The exact filter will meet it again and say so.
    return Contained.orElse(() -> index.hasToken(CellUtil.cloneValue(cell), tokens), e -> true);
  }
}
