package io.deli.coprocessor.internal.scan;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;

/** Compares coordinates and kinds of cells within one store. */
public final class Coordinates {
  private Coordinates() {}

  /** Whether two cells of one family are in the same row and column. */
  public static boolean sameColumn(Cell a, Cell b) {
    return CellUtil.matchingQualifier(a, b) && CellUtil.matchingRows(a, b);
  }

  /** Whether two cells of one family are versions of one column at one timestamp. */
  public static boolean sameVersion(Cell a, Cell b) {
    return a.getTimestamp() == b.getTimestamp() && sameColumn(a, b);
  }

  /** Whether the cell is a put, not a delete marker. */
  public static boolean isPut(Cell cell) {
    return cell.getType() == Cell.Type.Put;
  }

  /** Whether the cell is a marker that deletes in all columns of its family. */
  public static boolean isFamilyMarker(Cell cell) {
    return PrivateCellUtil.isDeleteFamily(cell) || PrivateCellUtil.isDeleteFamilyVersion(cell);
  }
}
