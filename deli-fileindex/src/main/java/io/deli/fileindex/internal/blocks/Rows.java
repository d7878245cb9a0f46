package io.deli.fileindex.internal.blocks;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.util.Bytes;

/** Bounds of ranges of rows; ends are exclusive, empty for that of the table, as HBase has them. */
final class Rows {
  private Rows() {}

  static boolean before(byte[] row, byte[] end) {
    return end.length == 0 || Bytes.compareTo(row, end) < 0;
  }

  static boolean before(Cell cell, byte[] end) {
    return end.length == 0
        || CellComparator.getInstance().compareRows(cell, end, 0, end.length) < 0;
  }

  static byte[] earlier(byte[] oneEnd, byte[] otherEnd) {
    return oneEnd.length == 0 || (otherEnd.length > 0 && Bytes.compareTo(otherEnd, oneEnd) < 0)
        ? otherEnd
        : oneEnd;
  }

  /** Of two beginnings. */
  static byte[] later(byte[] one, byte[] other) {
    return Bytes.compareTo(one, other) < 0 ? other : one;
  }
}
