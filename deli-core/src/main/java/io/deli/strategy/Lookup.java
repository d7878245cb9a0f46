package io.deli.strategy;

import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.Index;
import io.deli.query.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;

/**
 * Where to read entries, and how.
 *
 * @param table the table to scan: the index's or, for entries that base rows themselves amount to,
 *     the base table, whose rows then need no other read to be verified
 * @param startRow first row, inclusive
 * @param stopRow last row, exclusive
 * @param tokens the tokens whose entries lie between these rows; if there are none, nothing is read
 * @param entries reads the entries of one row, newest first
 * @param rows how entries lie in the rows
 */
public record Lookup(
    TableName table,
    byte[] startRow,
    byte[] stopRow,
    TokenRange tokens,
    Function<Result, List<Entry>> entries,
    Rows rows) {

  /** How entries lie in the rows of a table. */
  public enum Rows {
    /** A few in each row; across the rows in no order of time. */
    UNORDERED,

    /** A few in each row; newest first across the whole range. */
    NEWEST_FIRST,

    /**
     * In each row all those of a token, any number, newest first; at equal timestamps by base row
     * key. A cell holds one or more, which may be older than the first one of the next cell, but
     * not newer than its own first. Its timestamp is that of its last.
     */
    LISTS
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
        HConstants.EMPTY_START_ROW,
        HConstants.EMPTY_END_ROW,
        tokens,
        row -> entries(index, tokens, row),
        Rows.UNORDERED);
  }

  /** One for each version of the column that has a token in the range. */
  private static List<Entry> entries(Index index, TokenRange tokens, Result row) {
    Column column = index.column();
    List<Entry> entries = new ArrayList<>();
    for (Cell cell : row.getColumnCells(column.family(), column.qualifier())) {
      for (byte[] token : index.storedTokens(CellUtil.cloneValue(cell))) {
        if (tokens.contains(token)) {
          entries.add(new Entry(token, row.getRow(), cell.getTimestamp(), WriteId.NONE));
        }
      }
    }
    return entries;
  }
}
