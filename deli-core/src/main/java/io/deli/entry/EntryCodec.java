package io.deli.entry;

import io.deli.index.EntryOrder;
import io.deli.query.TokenRange;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/** Entries to cells and back; the format is specified in the package documentation. */
public final class EntryCodec {
  private static final byte[] FAMILY = Bytes.toBytes("e");

  /** Follows every header byte of {@code blob}: the row behind all entries. */
  private static final byte[] BEHIND_ALL = {0x36};

  private final EntryOrder order;

  public EntryCodec(EntryOrder order) {
    this.order = order;
  }

  /** The column family of every index table. */
  public static byte[] family() {
    return FAMILY.clone();
  }

  /** Row key of an entry; may exceed HBase's limit, see {@link #exceedsLimit}. */
  public byte[] row(Entry entry) {
    byte[] token = blob(entry.token());
    return order == EntryOrder.BY_TIME
        ? Bytes.add(token, Bytes.toBytes(Long.MAX_VALUE - entry.timestamp()), entry.key())
        : Bytes.add(token, entry.key());
  }

  /** Whether a row key is longer than HBase allows. */
  public static boolean exceedsLimit(byte[] row) {
    return row.length > HConstants.MAX_ROW_LENGTH;
  }

  public Put put(Entry entry) {
    return new Put(row(entry), entry.timestamp())
        .addColumn(
            FAMILY, entry.writeId().toBytes(), entry.timestamp(), HConstants.EMPTY_BYTE_ARRAY);
  }

  /** Deletes exactly this entry: its row, write id and timestamp. */
  public Delete delete(Entry entry) {
    return new Delete(row(entry)).addColumn(FAMILY, entry.writeId().toBytes(), entry.timestamp());
  }

  /**
   * Reads an entry from a cell of the index table.
   *
   * @throws IllegalArgumentException if the cell is not in this format
   */
  public Entry decode(Cell cell) {
    byte[] row = CellUtil.cloneRow(cell);
    PositionedByteRange in = new SimplePositionedByteRange(row);
    byte[] token;
    try {
      token = OrderedBytes.decodeBlobVar(in);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("no entry: " + CellUtil.getCellKeyAsString(cell), e);
    }
    int prefix = in.getPosition() + (order == EntryOrder.BY_TIME ? Bytes.SIZEOF_LONG : 0);
    if (prefix > row.length) {
      throw new IllegalArgumentException("no entry: " + CellUtil.getCellKeyAsString(cell));
    }
    return new Entry(
        token,
        Bytes.tail(row, row.length - prefix),
        cell.getTimestamp(),
        WriteId.from(CellUtil.cloneQualifier(cell)));
  }

  /** First row of the entries in the range, inclusive. */
  public byte[] startRow(TokenRange range) {
    return blob(range.first());
  }

  /** Row behind the entries in the range, exclusive. */
  public byte[] stopRow(TokenRange range) {
    return range.end().map(EntryCodec::blob).orElseGet(BEHIND_ALL::clone);
  }

  private static byte[] blob(byte[] token) {
    PositionedByteRange out =
        new SimplePositionedMutableByteRange(OrderedBytes.blobVarEncodedLength(token.length) + 1);
    OrderedBytes.encodeBlobVar(out, token, Order.ASCENDING);
    byte[] encoded = new byte[out.getPosition()];
    out.setPosition(0);
    out.get(encoded);
    return encoded;
  }
}
