package io.deli.client.internal.build;

import io.deli.client.internal.KeyRange;
import io.deli.client.internal.RangeSplitter;
import io.deli.entry.EntryCodec;
import io.deli.entry.TokenEncoding;
import io.deli.strategy.Index;
import io.deli.strategy.KeyColumns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Samples the tokens of a table, to split its index. */
public final class TokenSample {
  /** About how many rows to read. */
  private static final int ROWS = 6_000;

  private TokenSample() {}

  /**
   * Returns the rows at which to split an index table, or each of its buckets, so that its regions
   * get about as many entries each; fewer if there are few distinct values.
   */
  public static List<byte[]> splits(Connection connection, Index index, int regions)
      throws IOException {
    int each = 1 + (regions - 1) / index.codec().buckets().count();
    List<byte[]> tokens = each == 1 ? List.of() : take(connection, index);
    tokens.sort(Bytes.BYTES_COMPARATOR);
    List<byte[]> splits = new ArrayList<>(each);
    byte[] before = tokens.isEmpty() ? new byte[0] : tokens.get(0);
    for (int i = 1; i < each && !tokens.isEmpty(); i++) {
      byte[] token = tokens.get((int) ((long) tokens.size() * i / each));
      byte[] row = TokenEncoding.encode(token);
      if (!Bytes.equals(token, before) && !EntryCodec.isTooLong(row)) {
        splits.add(row);
        before = token;
      }
    }
    return splits;
  }

  private static List<byte[]> take(Connection connection, Index index) throws IOException {
    List<KeyRange> ranges = RangeSplitter.split(connection, index.baseTable());
    int share = 1 + (ROWS - 1) / ranges.size();
    List<byte[]> tokens = new ArrayList<>();
    try (Table table = connection.getTable(index.baseTable())) {
      for (KeyRange range : ranges) {
        take(table, range.restrict(new Scan()).setLimit(share), index, tokens);
      }
    }
    return tokens;
  }

  private static void take(Table table, Scan scan, Index index, List<byte[]> tokens)
      throws IOException {
    // Rows without the columns count, or those with it would be sought all over the table.
    scan.addFamily(index.column().family())
        .setFilter(
            new FilterList(
                FilterList.Operator.MUST_PASS_ONE,
                new FirstKeyOnlyFilter(),
                KeyColumns.filter(index.key().all())))
        .setCacheBlocks(false);
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        for (Cell version : index.key().versions(row)) {
          tokens.addAll(index.storedTokens(CellUtil.cloneValue(version)));
        }
      }
    }
  }
}
