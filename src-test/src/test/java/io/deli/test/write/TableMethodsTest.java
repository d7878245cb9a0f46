package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.TestTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.CompareFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Every method of {@code Table} that writes keeps the index. */
class TableMethodsTest extends ConfiguredClient {
  private static final byte[] A = Bytes.toBytes("a");
  private static final byte[] B = Bytes.toBytes("b");
  private static TestTable written;
  private Table table;
  private byte[] row;

  @BeforeAll
  static void create() throws Exception {
    written = TestTable.create("methods", 3);
  }

  @BeforeEach
  void open(TestInfo test) throws Exception {
    table = connection.getTable(written.name());
    row = Bytes.toBytes(test.getTestMethod().orElseThrow().getName());
  }

  /** The table is shared: nothing that any test did may be without its entry. */
  @AfterEach
  void everyVersionHasItsEntry() throws Exception {
    written.assertIndexed();
    assertThat(written.entries()).isNotEmpty();
    table.close();
  }

  private Put put(byte[] value) {
    return put(row, value);
  }

  private static Put put(byte[] row, byte[] value) {
    return new Put(row).addColumn(FAMILY, QUALIFIER, value).addColumn(FAMILY, OTHER, value);
  }

  private byte[] current() throws Exception {
    return table.get(new Get(row)).getValue(FAMILY, QUALIFIER);
  }

  private byte[] row(int i) {
    return Bytes.add(row, Bytes.toBytes("_" + i));
  }

  @Test
  void putAndPutAgain() throws Exception {
    Put put = put(A);
    table.put(put);
    table.put(put);
    table.put(put(B));
    assertThat(current()).isEqualTo(B);
    assertThat(table.get(new Get(row).readAllVersions()).getColumnCells(FAMILY, QUALIFIER))
        .hasSize(3);
  }

  @Test
  void putOfList() throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      puts.add(put(row(i % 40), Bytes.toBytes("v" + i)));
    }
    table.put(puts);
    assertThat(puts).hasSize(50);
    assertThat(table.get(new Get(row(5))).getValue(FAMILY, QUALIFIER))
        .isEqualTo(Bytes.toBytes("v45"));
  }

  @Test
  void deleteInAllForms() throws Exception {
    table.put(put(A));
    table.delete(new Delete(row));
    assertThat(current()).isNull();
    table.put(put(A));
    table.put(put(B));
    table.delete(new Delete(row).addColumn(FAMILY, QUALIFIER));
    assertThat(current()).isEqualTo(A);
    table.put(put(B));
    table.delete(new Delete(row).addColumns(FAMILY, QUALIFIER));
    assertThat(current()).isNull();
    table.put(put(B));
    table.delete(new Delete(row).addFamily(FAMILY));
    assertThat(current()).isNull();
  }

  @Test
  void deleteOfListLeavesNothingInIt() throws Exception {
    table.put(List.of(put(row(1), A), put(row(2), A)));
    List<Delete> deletes = new ArrayList<>(List.of(new Delete(row(1)), new Delete(row(2))));
    table.delete(deletes);
    assertThat(deletes).isEmpty();
    assertThat(table.exists(new Get(row(1)))).isFalse();
  }

  @Test
  void batchOfEverything() throws Exception {
    table.put(put(row(9), A));
    RowMutations mutations = RowMutations.of(List.of(put(row(4), A)));
    List<Row> actions =
        List.of(
            put(row(1), A),
            new Delete(row(2)),
            new Get(row(9)),
            mutations,
            new Increment(row(5)).addColumn(FAMILY, Bytes.toBytes("n"), 7),
            CheckAndMutate.newBuilder(row(6)).ifNotExists(FAMILY, QUALIFIER).build(put(row(6), B)));
    Object[] results = new Object[actions.size()];
    table.batch(actions, results);
    assertThat(results).doesNotContainNull();
    assertThat(((Result) results[2]).getValue(FAMILY, QUALIFIER)).isEqualTo(A);
    assertThat(table.get(new Get(row(6))).getValue(FAMILY, QUALIFIER)).isEqualTo(B);
    List<byte[]> called = new ArrayList<>();
    table.<Object>batchCallback(
        actions.subList(0, 2),
        new Object[2],
        (region, key, result) -> {
          called.add(key);
          throw new IllegalStateException("of no concern to those that are done");
        });
    assertThat(called).containsExactly(row(1), row(2));
  }

  @Test
  void mutateRow() throws Exception {
    table.put(put(A));
    table.mutateRow(
        RowMutations.of(
            List.of(
                new Delete(row).addColumns(FAMILY, OTHER),
                new Put(row).addColumn(FAMILY, QUALIFIER, B))));
    Result result = table.get(new Get(row));
    assertThat(result.getValue(FAMILY, QUALIFIER)).isEqualTo(B);
    assertThat(result.getValue(FAMILY, OTHER)).isNull();
  }

  @Test
  void checkAndMutateThatHolds() throws Exception {
    assertThat(
            table
                .checkAndMutate(
                    CheckAndMutate.newBuilder(row).ifNotExists(FAMILY, QUALIFIER).build(put(A)))
                .isSuccess())
        .isTrue();
    RowMutations mutations = RowMutations.of(List.of(put(B)));
    assertThat(
            table
                .checkAndMutate(
                    List.of(
                        CheckAndMutate.newBuilder(row)
                            .ifEquals(FAMILY, QUALIFIER, A)
                            .build(mutations)))
                .get(0)
                .isSuccess())
        .isTrue();
    assertThat(current()).isEqualTo(B);
  }

  @Test
  @SuppressWarnings("deprecation")
  void olderConditionalForms() throws Exception {
    CompareOperator equal = CompareOperator.EQUAL;
    RowMutations toB = RowMutations.of(List.of(put(B)));
    assertThat(table.checkAndPut(row, FAMILY, QUALIFIER, null, put(A))).isTrue();
    assertThat(table.checkAndPut(row, FAMILY, QUALIFIER, equal, A, put(B))).isTrue();
    CompareFilter.CompareOp older = CompareFilter.CompareOp.EQUAL;
    assertThat(table.checkAndPut(row, FAMILY, QUALIFIER, older, B, put(A))).isTrue();
    assertThat(table.checkAndMutate(row, FAMILY, QUALIFIER, equal, A, toB)).isTrue();
    assertThat(table.checkAndMutate(row, FAMILY).qualifier(QUALIFIER).ifEquals(B).thenPut(put(A)))
        .isTrue();
    assertThat(
            table
                .checkAndMutate(row, new SingleColumnValueFilter(FAMILY, QUALIFIER, equal, A))
                .thenMutate(toB))
        .isTrue();
    assertThat(current()).isEqualTo(B);
    assertThat(table.checkAndDelete(row, FAMILY, QUALIFIER, B, new Delete(row))).isTrue();
    assertThat(current()).isNull();
  }

  @Test
  void bufferedMutator() throws Exception {
    try (BufferedMutator mutator = connection.getBufferedMutator(written.name())) {
      for (int i = 0; i < 30; i++) {
        mutator.mutate(put(row(i), A));
      }
      mutator.mutate(new Delete(row(3)));
      mutator.flush();
      assertThat(table.exists(new Get(row(4)))).isTrue();
      assertThat(table.exists(new Get(row(3)))).isFalse();
    }
  }

  @Test
  void timestampsOfTheApplicationStay() throws Exception {
    table.put(new Put(row, 17).addColumn(FAMILY, QUALIFIER, A));
    table.put(new Put(row).addColumn(FAMILY, QUALIFIER, 18, B));
    assertThat(table.get(new Get(row)).rawCells()[0].getTimestamp()).isEqualTo(18);
    table.delete(new Delete(row, 18).addColumns(FAMILY, QUALIFIER));
    assertThat(current()).isNull();
  }
}
