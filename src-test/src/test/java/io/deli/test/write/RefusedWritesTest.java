package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliTable;
import io.deli.client.IndexUnavailableException;
import io.deli.client.ValueQuery;
import io.deli.client.WriteRefusedException;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What would leave an index wrong is refused, with nothing written. */
class RefusedWritesTest extends ConfiguredClient {
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] FREE = Bytes.toBytes("free");
  private static final byte[] NUMBER = Bytes.toBytes(7);
  private static TestTable written;
  private DeliTable table;

  @BeforeAll
  static void create() throws Exception {
    written =
        TestTable.create(
            "refused",
            1,
            List.of(
                TestTable.byQ().withType(ValueType.INT),
                IndexDefinition.on("by_text", Column.of(FAMILY, Bytes.toBytes("text")))));
  }

  @BeforeEach
  void open() throws Exception {
    table = (DeliTable) connection.getTable(written.name());
  }

  @AfterEach
  void nothingWasWritten() throws Exception {
    written.assertEmpty();
  }

  private static void refused(ThrowingCallable write, String... parts) {
    assertThatThrownBy(write)
        .isInstanceOf(WriteRefusedException.class)
        .hasMessageContainingAll(parts)
        .hasMessageContaining(written.name().getNameAsString());
  }

  private static Put put(byte[] row, byte[] value) {
    return new Put(row).addColumn(FAMILY, QUALIFIER, value);
  }

  @Test
  void aValueOfAnotherType() {
    byte[] text = Bytes.toBytes("seven");
    refused(() -> table.put(put(ROW, text)), "by_q", "row", "INT");
    refused(() -> table.put(List.of(put(FREE, NUMBER), put(ROW, text))), "by_q", "row");
    refused(() -> table.mutateRow(RowMutations.of(List.of(put(ROW, text)))), "by_q");
    try (BufferedMutator mutator = connection.getBufferedMutator(written.name())) {
      refused(() -> mutator.mutate(List.of(put(FREE, NUMBER), put(ROW, text))), "by_q");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aListLeavesNoAnswersOfAnother() {
    Object[] results = {Result.EMPTY_RESULT, Result.EMPTY_RESULT};
    List<Put> puts = List.of(put(FREE, NUMBER), put(ROW, Bytes.toBytes("seven")));
    refused(() -> table.batch(puts, results), "by_q");
    assertThat(results).containsOnlyNulls();
    // As HBase says.
    assertThatThrownBy(() -> table.batch(puts, new Object[1]))
        .isInstanceOf(AssertionError.class)
        .hasMessage("results.length");
  }

  @Test
  void aValueTooLongForAnEntry() {
    Put put = put(ROW, NUMBER).addColumn(FAMILY, Bytes.toBytes("text"), new byte[Short.MAX_VALUE]);
    refused(() -> table.put(put), "by_text", "exceeds HBase's row limit");
    assertThatThrownBy(() -> table.put(new Put(ROW))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> table.put(put(ROW, NUMBER).addColumn(FAMILY, FREE, new byte[11 << 20])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("too large");
  }

  @Test
  void appendAndIncrementOfAnIndexedColumn() {
    Append append = new Append(ROW).addColumn(FAMILY, QUALIFIER, NUMBER);
    Increment increment = new Increment(ROW).addColumn(FAMILY, QUALIFIER, 1);
    refused(() -> table.append(append), "Append", "by_q");
    refused(() -> table.increment(increment), "Increment", "by_q");
    refused(() -> table.incrementColumnValue(ROW, FAMILY, QUALIFIER, 1), "Increment");
    refused(() -> table.batch(List.of(put(FREE, NUMBER), increment), new Object[2]), "Increment");
    RowMutations mutations = mutations(put(ROW, NUMBER), append);
    refused(() -> table.mutateRow(mutations), "Append");
    CheckAndMutate.Builder when = CheckAndMutate.newBuilder(ROW).ifNotExists(FAMILY, QUALIFIER);
    refused(() -> table.checkAndMutate(when.build(increment)), "Increment");
    refused(() -> table.checkAndMutate(when.build(mutations)), "Append");
  }

  private static RowMutations mutations(Put put, Append append) {
    try {
      return RowMutations.of(List.of(put, append));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** HBase's asynchronous client would answer neither it nor what shares its request. */
  @Test
  @Timeout(60)
  void whatCannotBeEncoded() {
    Filter broken =
        new PageFilter(1) {
          @Override
          public byte[] toByteArray() {
            throw new IllegalStateException("broken");
          }
        };
    Get get = new Get(ROW).setFilter(broken);
    CheckAndMutate check = CheckAndMutate.newBuilder(ROW).ifMatches(broken).build(put(ROW, NUMBER));
    for (ThrowingCallable write :
        List.<ThrowingCallable>of(
            () -> table.checkAndMutate(check),
            () -> table.checkAndMutate(List.of(check)),
            () -> table.batch(List.of(put(FREE, NUMBER), get), new Object[2]))) {
      assertThatThrownBy(write)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("row", "cannot be encoded")
          .hasRootCauseMessage("broken");
    }
  }

  @Test
  void everythingButReadingIfADefinitionIsOfANewerVersion() throws Exception {
    TestTable newer = TestTable.create("newer", 1);
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      TableDescriptorBuilder changed =
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(newer.name()));
      String key = "deli.index.by_q";
      String json = admin.getDescriptor(newer.name()).getValue(key);
      admin.modifyTable(
          changed.setValue(key, json.replace("\"version\":1", "\"version\":99")).build());
    }
    try (DeliTable table = (DeliTable) connection.getTable(newer.name())) {
      assertThatThrownBy(() -> table.put(put(ROW, NUMBER)))
          .isInstanceOf(IndexUnavailableException.class)
          .hasMessageContainingAll("version 99", "upgrade DELI", "by_q");
      assertThatThrownBy(() -> table.readValue(ValueQuery.on("by_q").equalTo(NUMBER)))
          .isInstanceOf(IndexUnavailableException.class)
          .hasMessageContaining("version 99");
      assertThat(table.exists(new Get(ROW))).isFalse();
    }
    newer.assertNothingInBase();
  }
}
