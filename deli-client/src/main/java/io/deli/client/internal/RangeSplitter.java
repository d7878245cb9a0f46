package io.deli.client.internal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Splits a table into ranges of rows: its regions, each cut at keys evenly spaced between its first
 * and last row. The ranges may hold very different numbers of rows.
 */
public final class RangeSplitter {
  /** Least number of ranges, if there are rows enough. */
  private static final int WANTED = 64;

  private RangeSplitter() {}

  public static List<KeyRange> split(Connection connection, TableName name) throws IOException {
    List<byte[]> starts = new ArrayList<>();
    try (RegionLocator locator = connection.getRegionLocator(name);
        Table table = connection.getTable(name)) {
      Pair<byte[][], byte[][]> regions = locator.getStartEndKeys();
      int count = regions.getFirst().length;
      int pieces = 1 + (WANTED - 1) / count;
      for (int i = 0; i < count; i++) {
        starts.add(regions.getFirst()[i]);
        if (pieces > 1) {
          starts.addAll(cuts(table, regions.getFirst()[i], regions.getSecond()[i], pieces));
        }
      }
    }
    List<KeyRange> ranges = new ArrayList<>(starts.size());
    for (int i = 0; i < starts.size(); i++) {
      byte[] end = i + 1 < starts.size() ? starts.get(i + 1) : new byte[0];
      ranges.add(new KeyRange(starts.get(i), end));
    }
    return ranges;
  }

  private static List<byte[]> cuts(Table table, byte[] start, byte[] end, int pieces)
      throws IOException {
    byte[] first = row(table, new Scan().withStartRow(start).withStopRow(end));
    // Reversed, a scan goes from its greater row to its lesser one.
    byte[] last =
        row(table, new Scan().withStartRow(end, false).withStopRow(start, true).setReversed(true));
    if (first == null || last == null || Bytes.compareTo(first, last) >= 0) {
      return List.of();
    }
    byte[][] keys = Bytes.split(first, last, pieces - 1);
    if (keys == null) {
      return List.of();
    }
    List<byte[]> cuts = new ArrayList<>(keys.length);
    byte[] before = start;
    for (byte[] key : keys) {
      if (Bytes.compareTo(key, before) > 0 && (end.length == 0 || Bytes.compareTo(key, end) < 0)) {
        cuts.add(key);
        before = key;
      }
    }
    return cuts;
  }

  /** Returns the first row of a scan, or null. */
  private static byte[] row(Table table, Scan scan) throws IOException {
    try (ResultScanner scanner =
        table.getScanner(scan.setLimit(1).setCaching(1).setFilter(new FirstKeyOnlyFilter()))) {
      Result row = scanner.next();
      return row == null ? null : row.getRow();
    }
  }
}
