package io.deli.test.servermaintained;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.thrift2.generated.TAppend;
import org.apache.hadoop.hbase.thrift2.generated.TColumn;
import org.apache.hadoop.hbase.thrift2.generated.TColumnIncrement;
import org.apache.hadoop.hbase.thrift2.generated.TColumnValue;
import org.apache.hadoop.hbase.thrift2.generated.TCompareOp;
import org.apache.hadoop.hbase.thrift2.generated.TDelete;
import org.apache.hadoop.hbase.thrift2.generated.TDeleteType;
import org.apache.hadoop.hbase.thrift2.generated.THBaseService;
import org.apache.hadoop.hbase.thrift2.generated.TIncrement;
import org.apache.hadoop.hbase.thrift2.generated.TMutation;
import org.apache.hadoop.hbase.thrift2.generated.TPut;
import org.apache.hadoop.hbase.thrift2.generated.TRowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.thrift.TException;

/**
 * Writes of every kind that Thrift's clients have, each to rows of its own. What HBase stamps under
 * the row's lock is put over versions of long ago: within a millisecond it would take their place.
 */
record ThriftWrites(THBaseService.Iface hbase, ByteBuffer table) {
  /** What is current after all of them, as {@code row=value}, in order. */
  static final List<String> CURRENT =
      List.of(
          "appended=v1",
          "conditional=v2",
          "deletedIf.not=v1",
          "exact=v1",
          "familyVersion=v1",
          "incremented=v1",
          "latest=v1",
          "mutated=v3",
          "mutatedIf=v2",
          "put=v2",
          "several1=v4",
          "several2=v4");

  private static final ByteBuffer F = ByteBuffer.wrap(FAMILY);
  private static final ByteBuffer Q = ByteBuffer.wrap(QUALIFIER);

  ThriftWrites(THBaseService.Iface hbase, TableName table) {
    this(hbase, ByteBuffer.wrap(table.getName()));
  }

  void all() throws TException {
    puts();
    deletes();
    conditional();
    atomic();
    computed();
  }

  private void puts() throws TException {
    put("put", "v1");
    put("put", "v2");
    hbase.putMultiple(
        table, List.of(tput("several1", "v4"), tput("several2", "v4"), tput("several3", "v4")));
  }

  private void deletes() throws TException {
    for (String row : List.of("row", "columns", "family", "many1", "many2")) {
      put(row, "v1");
    }
    for (String row : List.of("latest", "exact", "familyVersion")) {
      hbase.put(table, tput(row, "v1").setTimestamp(1));
      hbase.put(table, tput(row, "v2").setTimestamp(2));
    }
    hbase.deleteSingle(table, new TDelete(bytes("row")));
    hbase.deleteSingle(table, delete("columns", TDeleteType.DELETE_COLUMNS, column()));
    hbase.deleteSingle(table, delete("family", TDeleteType.DELETE_FAMILY, family()));
    hbase.deleteSingle(table, delete("latest", TDeleteType.DELETE_COLUMN, column()));
    hbase.deleteSingle(table, delete("exact", TDeleteType.DELETE_COLUMN, column().setTimestamp(2)));
    hbase.deleteSingle(
        table,
        delete("familyVersion", TDeleteType.DELETE_FAMILY_VERSION, family().setTimestamp(2)));
    List<TDelete> many = List.of(new TDelete(bytes("many1")), new TDelete(bytes("many2")));
    assertThat(hbase.deleteMultiple(table, many)).isEmpty();
    hbase.deleteSingle(table, new TDelete(bytes("several3")));
  }

  private void conditional() throws TException {
    assertThat(putIf("conditional", null, tput("conditional", "v1").setTimestamp(1))).isTrue();
    assertThat(putIf("conditional", null, tput("conditional", "v3"))).isFalse();
    assertThat(putIf("conditional", "v1", tput("conditional", "v2"))).isTrue();
    for (String row : List.of("deletedIf", "deletedIf.not", "mutatedIf")) {
      hbase.put(table, tput(row, "v1").setTimestamp(1));
    }
    assertThat(deleteIf("deletedIf", "v1")).isTrue();
    assertThat(deleteIf("deletedIf.not", "v2")).isFalse();
    assertThat(mutateIf("mutatedIf", "v1", "v2")).isTrue();
    assertThat(mutateIf("mutatedIf", "v1", "v3")).isFalse();
  }

  private void atomic() throws TException {
    hbase.put(table, new TPut(bytes("mutated"), List.of(cell(QUALIFIER, "v1"), cell(OTHER, "x"))));
    hbase.mutateRow(table, mutations("mutated", "v3"));
  }

  private void computed() throws TException {
    put("appended", "v1");
    hbase.append(table, new TAppend(bytes("appended"), List.of(cell(OTHER, "x"))));
    put("incremented", "v1");
    hbase.increment(table, increment("incremented", OTHER));
  }

  /** An append and an increment of the indexed column. */
  void computedIndexed() throws TException {
    hbase.append(table, new TAppend(bytes("put"), List.of(cell(QUALIFIER, "x"))));
    hbase.increment(table, increment("counted", QUALIFIER));
  }

  private void put(String row, String value) throws TException {
    hbase.put(table, tput(row, value));
  }

  private boolean putIf(String row, String expected, TPut put) throws TException {
    return hbase.checkAndPut(
        table, bytes(row), F, Q, expected == null ? null : bytes(expected), put);
  }

  private boolean deleteIf(String row, String expected) throws TException {
    return hbase.checkAndDelete(table, bytes(row), F, Q, bytes(expected), new TDelete(bytes(row)));
  }

  private boolean mutateIf(String row, String expected, String value) throws TException {
    return hbase.checkAndMutate(
        table, bytes(row), F, Q, TCompareOp.EQUAL, bytes(expected), mutations(row, value));
  }

  private static TRowMutations mutations(String row, String value) {
    TColumn other = family().setQualifier(OTHER);
    return new TRowMutations(
        bytes(row),
        List.of(
            TMutation.put(tput(row, value)),
            TMutation.deleteSingle(delete(row, TDeleteType.DELETE_COLUMNS, other))));
  }

  private static TPut tput(String row, String value) {
    return new TPut(bytes(row), List.of(cell(QUALIFIER, value)));
  }

  private static TDelete delete(String row, TDeleteType type, TColumn column) {
    return new TDelete(bytes(row)).setDeleteType(type).setColumns(List.of(column));
  }

  private static TIncrement increment(String row, byte[] qualifier) {
    TColumnIncrement column = new TColumnIncrement(F, ByteBuffer.wrap(qualifier)).setAmount(1);
    return new TIncrement(bytes(row), List.of(column));
  }

  private static TColumn column() {
    return family().setQualifier(QUALIFIER);
  }

  private static TColumn family() {
    return new TColumn(F);
  }

  private static TColumnValue cell(byte[] qualifier, String value) {
    return new TColumnValue(F, ByteBuffer.wrap(qualifier), bytes(value));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(Bytes.toBytes(text));
  }
}
