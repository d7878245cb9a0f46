package io.deli.coprocessor.internal.blocks;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.util.Bytes;

/** Ends of ranges of rows, exclusive; empty for the end of the table, as HBase has them. */
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
}
