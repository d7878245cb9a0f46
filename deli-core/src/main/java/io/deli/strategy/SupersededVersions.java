package io.deli.strategy;

import io.deli.index.Column;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.QualifierFilter;

/**
 * Versions that the base table still holds although newer ones supersede them. Their entries may be
 * collected already, so that a delete which makes one current again must restore them first.
 */
public final class SupersededVersions {
  private SupersededVersions() {}

  /** Shows all that the table holds of a column in a row. */
  public static Scan scan(Column column, byte[] row) {
    return new Scan()
        .withStartRow(row)
        .withStopRow(row, true)
        .setOneRowLimit()
        .addFamily(column.family())
        .setFilter(
            new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(column.qualifier())))
        .readAllVersions()
        .setRaw(true);
  }

  /**
   * Those among the cells of one column in one row.
   *
   * @param cells newest first
   * @param retained of how many of the newest versions there are entries
   */
  public static List<Cell> among(Iterable<Cell> cells, int retained) {
    List<Cell> superseded = new ArrayList<>();
    int newer = 0;
    long last = Long.MAX_VALUE;
    for (Cell cell : cells) {
      if (cell.getType() != Cell.Type.Put) {
        continue;
      }
      if (newer >= retained && cell.getTimestamp() != last) {
        superseded.add(cell);
      }
      newer += cell.getTimestamp() == last ? 0 : 1;
      last = cell.getTimestamp();
    }
    return superseded;
  }
}
