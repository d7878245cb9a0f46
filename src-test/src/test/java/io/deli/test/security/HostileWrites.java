package io.deli.test.security;

import io.deli.entry.EntryCodec;
import io.deli.entry.WriteId;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Writes with attributes, tags and entries that no DELI client makes. */
final class HostileWrites {
  private static final String TIMESTAMP = "deli.t";
  private static final int ROWS = 20;
  private static final byte[] COUNTER = Bytes.toBytes("n");
  private static final byte[] VALUE = Bytes.toBytes("h");

  private final HostileBytes bytes;
  private final Table table;
  private final byte[] family;
  private final List<byte[]> columns;

  /**
   * @param table whose connection sends the tags of cells
   * @param columns indexed ones
   */
  HostileWrites(HostileBytes bytes, Table table, byte[] family, List<byte[]> columns) {
    this.bytes = bytes;
    this.table = table;
    this.family = family;
    this.columns = columns;
  }

  private byte[] column() {
    return columns.get(bytes.below(columns.size()));
  }

  private <T extends Mutation> T with(T mutation) {
    if (bytes.oneIn(2)) {
      byte[] id = WriteId.of(bytes.number(), bytes.number()).toBytes();
      mutation.setAttribute(WriteId.ATTRIBUTE, bytes.oneIn(2) ? id : bytes.mutated(id));
    }
    if (bytes.oneIn(2)) {
      long drawn = bytes.oneIn(2) ? System.currentTimeMillis() + bytes.below(200) : bytes.number();
      byte[] timestamp = Bytes.add(new byte[] {(byte) bytes.below(4)}, Bytes.toBytes(drawn));
      mutation.setAttribute(TIMESTAMP, bytes.oneIn(2) ? timestamp : bytes.mutated(timestamp));
    }
    return mutation;
  }

  private Put put(byte[] row) throws IOException {
    Put put = new Put(row);
    long timestamp = bytes.oneIn(2) ? bytes.below(1_000) : Long.MAX_VALUE - bytes.below(2);
    List<Tag> tags =
        bytes.oneIn(2)
            ? List.of()
            : List.of(new ArrayBackedTag(WriteId.TAG_TYPE, new byte[bytes.below(20)]));
    return with(
        put.add(new KeyValue(row, family, column(), timestamp, KeyValue.Type.Put, VALUE, tags)));
  }

  private Delete delete(byte[] row) {
    Delete delete = new Delete(row);
    return with(
        bytes.oneIn(2)
            ? delete.addColumn(family, column(), bytes.below(1_000))
            : delete.addFamily(family));
  }

  /** Writes in one of the ways that HBase has. */
  void write() throws IOException {
    byte[] row = Bytes.toBytes("h" + bytes.below(ROWS));
    switch (bytes.below(6)) {
      case 0 -> table.delete(delete(row));
      case 1 -> table.mutateRow(new RowMutations(row).add(List.of(put(row), delete(row))));
      case 2 -> table.increment(with(new Increment(row).addColumn(family, COUNTER, 1)));
      case 3 -> table.append(with(new Append(row).addColumn(family, column(), VALUE)));
      case 4 ->
          table.checkAndMutate(
              CheckAndMutate.newBuilder(row).ifNotExists(family, COUNTER).build(put(row)));
      default -> table.put(List.of(put(row), put(row)));
    }
  }

  /**
   * Writes to an index table what is no entry, or no posting.
   *
   * @param entry a valid one
   */
  void entry(Table index, Cell entry) throws IOException {
    byte[] row = CellUtil.cloneRow(entry);
    byte[] qualifier = CellUtil.cloneQualifier(entry);
    byte[] value = CellUtil.cloneValue(entry);
    switch (bytes.below(3)) {
      case 0 -> row = bytes.mutated(row);
      case 1 -> qualifier = bytes.mutated(qualifier);
      default -> value = bytes.mutated(value);
    }
    if (row.length > 0 && row.length < Short.MAX_VALUE) {
      index.put(
          new Put(row)
              .addColumn(
                  EntryCodec.family(),
                  qualifier,
                  bytes.oneIn(2) ? entry.getTimestamp() : bytes.below(1_000),
                  value));
    }
  }
}
