package io.deli.client.internal;

import io.deli.entry.EntryCodec;
import io.deli.service.PrimaryRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Splits a table into ranges of rows: its regions, each cut at keys evenly spaced between its first
 * and last row. The ranges may hold very different numbers of rows.
 */
public final class RangeSplitter {
  /** Least number of ranges, if there are rows enough. */
  private static final int WANTED = 64;

  private RangeSplitter() {}

  public static List<KeyRange> split(Connection connection, TableName name) throws IOException {
    List<KeyRange> ranges = new ArrayList<>();
    byte[][] starts = PrimaryRegions.startKeys(connection, name);
    try (Table table = connection.getTable(name)) {
      int pieces = 1 + (WANTED - 1) / starts.length;
      for (int i = 0; i < starts.length; i++) {
        byte[] end = i + 1 < starts.length ? starts[i + 1] : HConstants.EMPTY_END_ROW;
        KeyRange region = new KeyRange(starts[i], end);
        ranges.addAll(pieces > 1 ? region.splitAt(keys(table, region, pieces)) : List.of(region));
      }
    }
    return ranges;
  }

  private static byte[][] keys(Table table, KeyRange range, int pieces) throws IOException {
    byte[] first = row(table, range.restrict(new Scan()));
    // Reversed, a scan goes from its greater row to its lesser one.
    Scan backwards = new Scan().withStartRow(range.stop(), false).withStopRow(range.start(), true);
    byte[] last = row(table, backwards.setReversed(true));
    return first == null || last == null ? new byte[0][] : between(first, last, pieces);
  }

  private static byte[][] between(byte[] first, byte[] last, int pieces) {
    // HBase takes only rows that differ when padded to one length, and may lengthen them by a byte.
    int length = Math.min(Math.max(first.length, last.length), EntryCodec.LONGEST_ROW);
    byte[] low = Arrays.copyOf(first, length);
    byte[] high = Arrays.copyOf(last, length);
    return Bytes.compareTo(low, high) < 0 ? Bytes.split(low, high, pieces - 1) : new byte[0][];
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
