package io.deli.coprocessor.internal.answer;

import io.deli.entry.Entry;
import io.deli.index.Column;
import io.deli.index.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * Whether a region still holds, in whatever state, the version that an entry stands for.
 *
 * <p>A version under a tombstone or beyond VERSIONS counts: it may be seen again, and compaction
 * will see it die and collect its entry. So does one that the reader is not allowed to see: the
 * region is asked, not a client.
 */
final class Evidence {
  private Evidence() {}

  static boolean holds(Region region, Index index, Entry entry) throws IOException {
    try (InternalScanner scanner = region.getScanner(rawVersions(index.column(), entry))) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more) {
        cells.clear();
        more = scanner.next(cells);
        if (cells.stream().anyMatch(cell -> justifies(index, cell, entry))) {
          return true;
        }
      }
      return false;
    }
  }

  private static Scan rawVersions(Column column, Entry entry) throws IOException {
    return new Scan()
        .withStartRow(entry.key(), true)
        .withStopRow(entry.key(), true)
        .setRaw(true)
        .readAllVersions()
        .addFamily(column.family())
        // A raw scan takes no columns.
        .setFilter(
            new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(column.qualifier())))
        .setTimeRange(entry.timestamp(), entry.timestamp() + 1);
  }

  private static boolean justifies(Index index, Cell cell, Entry entry) {
    return cell.getType() == Cell.Type.Put
        && index.column().matches(cell)
        && index.hasToken(CellUtil.cloneValue(cell), entry.token());
  }
}
