package io.deli.coprocessor.internal.servermaintained;

import io.deli.index.Column;
import io.deli.strategy.ColumnVersions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * The newest cells of a row, by column, while Puts of a batch are added to them in the order of
 * their timestamps. Used by one thread.
 */
final class NewestCells {
  private final Map<Column, Cell> cells = new HashMap<>();
  private final List<Cell> markers;

  /**
   * @param row what the region shows
   * @param markers that the batch itself puts, in whatever order: they hide its Puts, too
   */
  NewestCells(List<Cell> row, List<Cell> markers) {
    this.markers = markers;
    row.forEach(this::add);
  }

  static Column column(Cell cell) {
    return Column.of(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
  }

  /** Adds a cell, unless the batch deletes it. Of two with one timestamp, the later one stays. */
  void add(Cell cell) {
    Column column = column(cell);
    List<Cell> ofFamily =
        markers.stream().filter(each -> CellUtil.matchingFamily(each, cell)).toList();
    ColumnVersions.of(column, List.of(cell))
        .under(ofFamily)
        .unhidden(cell.getTimestamp())
        .ifPresent(shown -> cells.merge(column, shown, NewestCells::newer));
  }

  private static Cell newer(Cell before, Cell added) {
    return added.getTimestamp() >= before.getTimestamp() ? added : before;
  }

  /** The cells of all columns. */
  List<Cell> of() {
    return List.copyOf(cells.values());
  }

  /** The latest timestamp that a cell of the columns has; less than any if there is none. */
  long latest(List<Column> columns) {
    return columns.stream()
        .filter(cells::containsKey)
        .mapToLong(column -> cells.get(column).getTimestamp())
        .max()
        .orElse(Long.MIN_VALUE);
  }

  /** The cells of columns; none if the row lacks one of them. */
  List<Cell> of(List<Column> columns) {
    List<Cell> found = new ArrayList<>(columns.size());
    for (Column column : columns) {
      Cell cell = cells.get(column);
      if (cell == null) {
        return List.of();
      }
      found.add(cell);
    }
    return found;
  }
}
