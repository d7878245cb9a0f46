package io.deli.test.model;

import io.deli.index.Column;
import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** What a scan of the whole base table sees; knows nothing of indexes. */
record BaseScan(NavigableMap<byte[], Result> results) implements View {
  /**
   * Scans.
   *
   * @param end exclusive
   */
  static BaseScan of(Table table, long end, int most) throws IOException {
    NavigableMap<byte[], Result> results = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    Scan scan = new Scan().readVersions(most).setTimeRange(0, end);
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        results.put(row.getRow(), row);
      }
    }
    return new BaseScan(results);
  }

  @Override
  public List<byte[]> rows() {
    return List.copyOf(results.keySet());
  }

  @Override
  public List<Version> versions(byte[] row, Column column) {
    Result result = results.get(row);
    return result == null ? List.of() : versions(result, column);
  }

  /** The versions in one row, newest first. */
  static List<Version> versions(Result row, Column column) {
    return row.getColumnCells(column.family(), column.qualifier()).stream()
        .map(BaseScan::version)
        .toList();
  }

  /** All that the table holds of a row, in whatever state. */
  static String raw(Table table, byte[] row) throws IOException {
    Scan scan =
        new Scan().withStartRow(row, true).withStopRow(row, true).setRaw(true).readAllVersions();
    try (ResultScanner scanner = table.getScanner(scan)) {
      StringJoiner cells = new StringJoiner(", ", "[", "]");
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          cells.add(
              "%s %s %s"
                  .formatted(
                      Column.of(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell)),
                      cell.getType(),
                      version(cell)));
        }
      }
      return cells.toString();
    }
  }

  private static Version version(Cell cell) {
    return Version.of(cell.getTimestamp(), CellUtil.cloneValue(cell));
  }
}
