package io.deli.client.internal.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads many rows of a table, in their order, by scans that skip what lies between them. The more
 * of the rows a block holds, the cheaper this is than Gets, which open a scanner and read the block
 * for each. Thread-safe.
 */
record RowsReader(Connection connection, TableName name) {
  /** Rows of a scan; a region server gets them all, in the scan's filter. */
  private static final int MOST = 4_096;

  /**
   * @param scans what to read of the rows
   * @param pieces takes the results; rows that do not exist have none
   */
  void read(SortedSet<byte[]> rows, Supplier<Scan> scans, Consumer<Result> pieces)
      throws IOException {
    try (Table table = connection.getTable(name);
        RegionLocator regions = connection.getRegionLocator(name)) {
      List<byte[]> some = new ArrayList<>();
      byte[] end = new byte[0];
      for (byte[] row : rows) {
        if (some.size() == MOST || (end.length > 0 && Bytes.compareTo(row, end) >= 0)) {
          scan(table, some, scans.get(), pieces);
          some.clear();
        }
        if (some.isEmpty()) {
          end = regions.getRegionLocation(row).getRegion().getEndKey();
        }
        some.add(row);
      }
      scan(table, some, scans.get(), pieces);
    }
  }

  private static void scan(Table table, List<byte[]> rows, Scan scan, Consumer<Result> pieces)
      throws IOException {
    if (rows.isEmpty()) {
      return;
    }
    List<RowRange> ranges = new ArrayList<>();
    rows.forEach(row -> ranges.add(new RowRange(row, true, row, true)));
    Filter filter = new MultiRowRangeFilter(ranges);
    scan.withStartRow(rows.get(0))
        .withStopRow(rows.get(rows.size() - 1), true)
        .setFilter(scan.hasFilter() ? new FilterList(filter, scan.getFilter()) : filter)
        .setCacheBlocks(false);
    try (ResultScanner results = table.getScanner(scan)) {
      for (Result piece = results.next(); piece != null; piece = results.next()) {
        pieces.accept(piece);
      }
    }
  }
}
