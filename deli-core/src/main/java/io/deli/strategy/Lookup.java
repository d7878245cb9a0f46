package io.deli.strategy;

import io.deli.entry.Buckets;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.query.TokenRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows to scan for the entries of a condition, and how to read them.
 *
 * @param table the table to scan: the index's or, for entries that base rows themselves amount to,
 *     the base table, whose rows then need no other read to be verified
 * @param parts the rows to scan, of which there must be some: from the first, inclusive, up to the
 *     last, exclusive; disjoint and in order. Between two of them are no entries that count.
 *     Without salt: each bucket has such rows, and their order is the one without it
 * @param tokens the tokens whose entries lie in these rows; if there are none, nothing is read
 * @param entries reads the entries of one row of the table, newest first
 * @param rows how entries lie in the rows
 * @param buckets of the table
 */
public record Lookup(
    TableName table,
    List<RowRange> parts,
    TokenRange tokens,
    Function<Result, List<Entry>> entries,
    Rows rows,
    Buckets buckets) {
  /** An empty range; its bounds are not empty, since those would mean the whole table. */
  private static final RowRange NOTHING = new RowRange(new byte[1], true, new byte[1], false);

  /** The placement of entries in the rows of a table. */
  public enum Rows {
    /**
     * A few entries in each row, in an index table of one token and base row; rows are in no order
     * of time.
     */
    UNORDERED,

    /** As in {@link #UNORDERED} rows; newest first across the whole range. */
    NEWEST_FIRST,

    /**
     * Posting lists: each row has all entries of a token, newest first, at equal timestamps by base
     * row key. A cell holds one or more, which may be older than the first one of the next cell,
     * but not newer than its own first. Its timestamp is that of its last; its qualifier begins
     * with {@code Long.MAX_VALUE} less the timestamp of its first, in eight bytes.
     */
    LISTS
  }

  public Lookup {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a lookup reads some rows, or asks for no tokens");
    }
  }

  /** Creates a lookup in a table whose rows have no salt. */
  public Lookup(
      TableName table,
      List<RowRange> parts,
      TokenRange tokens,
      Function<Result, List<Entry>> entries,
      Rows rows) {
    this(table, parts, tokens, entries, rows, Buckets.NONE);
  }

  /** Returns the rows of one bucket, as the table has them. */
  public Lookup in(int bucket) {
    return of(
        parts.stream()
            .map(
                part ->
                    new RowRange(
                        buckets.row(bucket, part.getStartRow()),
                        true,
                        buckets.stopRow(bucket, part.getStopRow()),
                        false))
            .toList(),
        Buckets.NONE);
  }

  private Lookup of(List<RowRange> others, Buckets among) {
    return new Lookup(table, others, tokens, entries, rows, among);
  }

  /** First row, inclusive; empty if it is the table's. */
  public byte[] startRow() {
    return parts.get(0).getStartRow();
  }

  /** Row behind the last; empty if that is the table's. */
  public byte[] stopRow() {
    return parts.get(parts.size() - 1).getStopRow();
  }

  /** Filters the gaps between the parts out of a scan. */
  public Scan skipGaps(Scan scan) {
    return parts.size() == 1
        ? scan
        : scan.setFilter(new MultiRowRangeFilter(new ArrayList<>(parts)));
  }

  /**
   * Restricts a scan to entries from a time on, and some older ones.
   *
   * @param start inclusive, in milliseconds
   * @param end exclusive
   */
  public Scan since(long start, long end, Scan scan) {
    try {
      if (rows != Rows.LISTS || start == 0) {
        return scan.setTimeRange(start, end);
      }
      Filter newer =
          new ColumnRangeFilter(null, true, Bytes.toBytes(Long.MAX_VALUE - start + 1), false);
      return scan.setTimeRange(0, end)
          .setFilter(scan.getFilter() == null ? newer : new FilterList(scan.getFilter(), newer));
    } catch (IOException e) {
      throw new UncheckedIOException("times are in order", e);
    }
  }

  /**
   * Returns the part of the lookup between two rows.
   *
   * @param start inclusive; empty, as in a Scan, for the table's first
   * @param stop exclusive; empty for the table's end
   */
  public Lookup between(byte[] start, byte[] stop) {
    List<RowRange> left =
        parts.stream()
            .map(
                part ->
                    new RowRange(
                        Bytes.compareTo(part.getStartRow(), start) < 0 ? start : part.getStartRow(),
                        true,
                        endsBefore(part.getStopRow(), stop) ? part.getStopRow() : stop,
                        false))
            .filter(RowRange::isValid)
            .toList();
    return of(left.isEmpty() ? List.of(NOTHING) : left, buckets);
  }

  private static boolean endsBefore(byte[] stop, byte[] other) {
    return stop.length > 0 && (other.length == 0 || Bytes.compareTo(stop, other) < 0);
  }

  /** Whether entries come newest first across the whole range. */
  public boolean newestFirst() {
    return rows == Rows.NEWEST_FIRST || isOneRow();
  }

  /** Whether all entries lie in one row. */
  public boolean isOneRow() {
    return rows == Rows.LISTS && tokens.isSingle();
  }

  /** A scan of the whole base table; region servers leave out rows without such tokens. */
  public static Lookup ofBaseRows(Index index, TokenRange tokens) {
    return new Lookup(
        index.baseTable(),
        List.of(new RowRange(HConstants.EMPTY_START_ROW, true, HConstants.EMPTY_END_ROW, false)),
        tokens,
        row -> entries(index, tokens, row),
        Rows.UNORDERED);
  }

  /** Returns an entry for each version with a token in the range. */
  private static List<Entry> entries(Index index, TokenRange tokens, Result row) {
    List<Entry> entries = new ArrayList<>();
    for (Cell cell : index.key().versions(row)) {
      for (byte[] token : index.storedTokens(CellUtil.cloneValue(cell))) {
        if (tokens.contains(token)) {
          entries.add(new Entry(token, row.getRow(), cell.getTimestamp(), WriteId.NONE));
        }
      }
    }
    return entries;
  }
}
