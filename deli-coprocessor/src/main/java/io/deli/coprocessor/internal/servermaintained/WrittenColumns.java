package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.scan.Coordinates;
import io.deli.coprocessor.internal.send.RowMarks;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;

/**
 * The columns of one write of a row, by which others are known to have overtaken a part of it.
 *
 * <p>A write whose timestamp is drawn waits for its entries, while others of its row draw newer
 * timestamps and are applied. It is still as if it had come in between:
 *
 * <ul>
 *   <li>If one of the others writes all its columns, then just ahead of that: readers see neither
 *       before, nor what is hidden afterwards.
 *   <li>If none of the others writes any of its columns, then behind them.
 * </ul>
 *
 * <p>Otherwise it is torn: those who read between the other and it have seen the row without it,
 * and those who read later see a part of it beneath the other. No order of the two explains both.
 *
 * <p>So every write leaves a mark for the set of its columns and one for each of them. One that
 * deletes a family, or has very many columns, leaves a mark that concerns all columns of the row
 * instead, and is torn by any other.
 */
final class WrittenColumns {
  private static final int MOST = 32;
  private static final long SET = 0x632be59bd9b4e019L;
  private static final long COLUMN = 0x1f83d9abfb41bd6bL;
  private static final long ANY = 0x5be0cd19137e2179L;
  private static final long FAMILY = 0x3c6ef372fe94f82bL;

  private final long row;
  private final long[] columns;
  private final boolean any;

  /**
   * @param row a hash of it
   */
  WrittenColumns(long row, List<Cell> cells) {
    this.row = row;
    columns = cells.stream().mapToLong(this::column).distinct().toArray();
    any = columns.length > MOST || cells.stream().anyMatch(Coordinates::isFamilyMarker);
  }

  private long column(Cell cell) {
    long family =
        RowMarks.hash(
            row ^ COLUMN, cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength());
    return RowMarks.key(
        Coordinates.isFamilyMarker(cell)
            ? family ^ FAMILY
            : RowMarks.hash(
                family,
                cell.getQualifierArray(),
                cell.getQualifierOffset(),
                cell.getQualifierLength()));
  }

  private long set() {
    return RowMarks.key(row ^ SET ^ Arrays.stream(columns).sum());
  }

  private long ofAny() {
    return RowMarks.key(row ^ ANY);
  }

  /**
   * Notes that they were written.
   *
   * @param oldest timestamp that one of them was given
   * @param newest timestamp that one of them was given
   */
  void written(RowMarks marks, long oldest, long newest) {
    marks.raise(set(), oldest);
    if (any) {
      marks.raise(ofAny(), newest);
    } else {
      Arrays.stream(columns).forEach(column -> marks.raise(column, newest));
    }
  }

  /** Whether those with newer timestamps tear a write with that one; there are such in its row. */
  boolean isTorn(RowMarks marks, long timestamp) {
    if (marks.known(set()) > timestamp) {
      return false;
    }
    return any
        || (columns.length > 1
            && (marks.newest(ofAny()) > timestamp
                || Arrays.stream(columns).anyMatch(column -> marks.newest(column) > timestamp)));
  }
}
