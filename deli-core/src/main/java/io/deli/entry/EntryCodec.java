package io.deli.entry;

import io.deli.index.EntryOrder;
import io.deli.query.TokenRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;

/** Encodes entries as cells and decodes them; the package documentation specifies the format. */
public final class EntryCodec {
  /**
   * Longest row to put or to look up. HBase's catalog has a row for each region, made of the
   * table's name, the region's first row and 49 bytes more, and a client locates a row by one like
   * it. Where that exceeds the row limit, a client that has not cached the region fails, and a
   * region cannot be split. This leaves room for the longest name, of which file systems take 255
   * bytes for the namespace and as many for the table: that of another generation, or of a clone,
   * may be longer.
   */
  public static final int LONGEST_ROW = 32_200;

  private static final byte[] FAMILY = Bytes.toBytes("e");

  /** An encoded token ends in two bytes, and a key of at least one follows. */
  private static final int LONGEST_TOKEN = HConstants.MAX_ROW_LENGTH - 3;

  private final EntryOrder order;
  private final Buckets buckets;

  public EntryCodec(EntryOrder order) {
    this(order, Buckets.NONE);
  }

  public EntryCodec(EntryOrder order, Buckets buckets) {
    this.order = order;
    this.buckets = buckets;
  }

  /** The column family of every index table. */
  public static byte[] family() {
    return FAMILY.clone();
  }

  /** The buckets into which the table is divided. */
  public Buckets buckets() {
    return buckets;
  }

  /** Row key of an entry; may be longer than one to put, or than HBase allows. */
  public byte[] row(Entry entry) {
    byte[] token = TokenEncoding.encode(entry.token());
    byte[] row =
        order == EntryOrder.BY_TIME
            ? Bytes.add(token, Bytes.toBytes(Long.MAX_VALUE - entry.timestamp()), entry.key())
            : Bytes.add(token, entry.key());
    return buckets.areSalted() ? buckets.row(buckets.of(entry.key()), row) : row;
  }

  /**
   * Whether no client can locate the row: HBase's catalog is asked by the table's name, the row and
   * 16 bytes more. HBase's client does not bear to be asked for more than a few such rows.
   */
  public static boolean isOutOfReach(TableName table, byte[] row) {
    return table.getName().length + row.length + HConstants.NINES.length() + 2
        > HConstants.MAX_ROW_LENGTH;
  }

  /** Whether a row is too long to be put; there may be such rows, of earlier releases. */
  public static boolean isTooLong(byte[] row) {
    return row.length > LONGEST_ROW;
  }

  public Put put(Entry entry) {
    return put(row(entry), entry);
  }

  /**
   * Makes the Put of an entry whose row is known.
   *
   * @param row becomes the Put's
   */
  public static Put put(byte[] row, Entry entry) {
    return new Put(row, entry.timestamp(), true)
        .addColumn(
            FAMILY, entry.writeId().toBytes(), entry.timestamp(), HConstants.EMPTY_BYTE_ARRAY);
  }

  /** The marker that deletes exactly the cell of an entry under a qualifier. */
  public static Cell marker(byte[] row, byte[] qualifier, Entry entry) {
    return new KeyValue(row, FAMILY, qualifier, entry.timestamp(), KeyValue.Type.Delete);
  }

  /**
   * The Delete with these markers.
   *
   * @param markers of one row; at least one, for HBase takes a Delete without for one of the row
   */
  public static Delete delete(List<Cell> markers) {
    Cell first = markers.get(0);
    Delete delete = new Delete(first.getRowArray(), first.getRowOffset(), first.getRowLength());
    try {
      for (Cell marker : markers) {
        delete.add(marker);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("markers of several rows: " + markers, e);
    }
    return delete;
  }

  /**
   * Reads an entry from a cell of the index table.
   *
   * @throws IllegalArgumentException if the cell is not in this format
   */
  public Entry decode(Cell cell) {
    byte[] stored = CellUtil.cloneRow(cell);
    try {
      byte[] row = buckets.unsalted(stored);
      int token = TokenEncoding.length(row);
      byte[] key = key(row, token);
      if (buckets.areSalted() && (stored[0] & 0xFF) != buckets.of(key)) {
        throw new IllegalArgumentException("its salt is not that of its base row key");
      }
      return new Entry(
          TokenEncoding.decode(row, token),
          key,
          cell.getTimestamp(),
          WriteId.from(CellUtil.cloneQualifier(cell)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "no entry: " + CellUtil.getCellKeyAsString(cell) + ": " + e.getMessage(), e);
    }
  }

  private byte[] key(byte[] row, int tokenLength) {
    int start = tokenLength + (order == EntryOrder.BY_TIME ? Bytes.SIZEOF_LONG : 0);
    if (start >= row.length) {
      throw new IllegalArgumentException("no base row key follows the token");
    }
    return Arrays.copyOfRange(row, start, row.length);
  }

  /** Returns the part of a token range whose entries do not exceed the row limit. */
  public static TokenRange storable(TokenRange range) {
    return range.limitedTo(LONGEST_TOKEN);
  }

  /**
   * The rows of the entries in the range and, of a rectangle, of some beside it, in order; without
   * salt, as are the bounds below.
   */
  public List<RowRange> rows(TokenRange range) {
    return range.parts().stream()
        .map(part -> new RowRange(startRow(part), true, stopRow(part), false))
        .toList();
  }

  /**
   * A row from which the entries in the range come, inclusive: the first one's, or one before it
   * that is short enough to be asked for.
   */
  public byte[] startRow(TokenRange range) {
    byte[] row = TokenEncoding.encode(range.first());
    return Arrays.copyOf(row, Math.min(row.length, LONGEST_ROW));
  }

  /**
   * A row behind the entries in the range, exclusive; empty, as in a Scan, means the table's end.
   */
  public byte[] stopRow(TokenRange range) {
    return range.end().map(EntryCodec::stopRow).orElse(HConstants.EMPTY_END_ROW);
  }

  private static byte[] stopRow(byte[] token) {
    byte[] row = TokenEncoding.encode(token);
    return row.length > LONGEST_ROW
        ? TokenRange.behindPrefix(Arrays.copyOf(row, LONGEST_ROW)).orElse(HConstants.EMPTY_END_ROW)
        : row;
  }
}
