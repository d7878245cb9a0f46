package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.TimestampOracle;
import io.deli.entry.RowClock;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes of one row take effect in the order of real time, whatever their clients' clocks say. */
class AdmittedTimestampsTest {
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final byte[] FREE = Bytes.toBytes("free");
  private static final byte[] MINE = Bytes.toBytes("mine");
  private static final byte[] NEXT = Bytes.toBytes("next");

  private final TestTable written;
  private final List<DeliConnection> open = new ArrayList<>();

  AdmittedTimestampsTest() throws IOException {
    written = TestTable.create("admitted", 3);
  }

  /** A clock that is off by so much. */
  private static TimestampOracle off(long millis) {
    return new RowClock(InstantSource.offset(InstantSource.system(), Duration.ofMillis(millis)))
        ::next;
  }

  /** One that is closed when the test is over, and what goes on behind its writes, too. */
  private DeliConnection connect(TimestampOracle oracle) throws IOException {
    return connect(oracle, MiniCluster.configuration());
  }

  private DeliConnection connect(TimestampOracle oracle, Configuration configuration)
      throws IOException {
    DeliConnection connection =
        DeliConnection.wrap(ConnectionFactory.createConnection(configuration), oracle);
    open.add(connection);
    return connection;
  }

  @AfterEach
  void close() throws IOException {
    for (DeliConnection connection : open) {
      connection.close();
    }
  }

  private interface Step {
    void by(DeliTable table) throws Exception;
  }

  /** Does something while the timestamp of a slow write is drawn and not yet used. */
  private void overtake(TableName name, Step slow, Step meanwhile) throws Exception {
    PausingOracle oracle = new PausingOracle(off(0));
    try (DeliTable table = connect(oracle).getTable(name);
        DeliTable other = connect(off(0)).getTable(name)) {
      oracle.overtake(() -> slow.by(table), () -> meanwhile.by(other));
    }
  }

  /** As if every answer might be that of a second request. */
  private static Configuration repeating() {
    Configuration configuration = MiniCluster.configuration();
    configuration.setLong(HConstants.HBASE_CLIENT_PAUSE, 0);
    return configuration;
  }

  /** Of two that drew one timestamp for one value, the second one's answer may have been slow. */
  @Test
  void aConditionThatDidNotHoldIsNotTakenForAnothersThatDid() throws Exception {
    Configuration repeating = repeating();
    Thread.sleep(2);
    long drawn = System.currentTimeMillis();
    CheckAndMutate taking = ifNone(QUALIFIER, MINE);
    try (DeliTable one = connect(row -> drawn, repeating).getTable(written.name());
        DeliTable other = connect(row -> drawn, repeating).getTable(written.name())) {
      assertThat(one.checkAndMutate(taking).isSuccess()).isTrue();
      assertThat(other.checkAndMutate(taking).isSuccess()).isFalse();
      assertThat(one.get(new Get(ROW)).rawCells()[0].getTimestamp()).isEqualTo(drawn);
    }
  }

  /** What was written meanwhile stays, though the version of the refused timestamp is the same. */
  @Test
  void aRefusedPutIsNotTakenForAnothersOfItsTimestamp() throws Exception {
    Configuration repeating = repeating();
    Thread.sleep(2);
    long drawn = System.currentTimeMillis();
    try (DeliTable one = connect(row -> drawn, repeating).getTable(written.name());
        DeliTable other = connect(row -> drawn, repeating).getTable(written.name());
        DeliTable third = connect(off(0)).getTable(written.name())) {
      one.put(put(QUALIFIER, MINE));
      third.put(put(QUALIFIER, NEXT));
      other.put(put(QUALIFIER, MINE));
      assertThat(one.get(new Get(ROW)).getValue(FAMILY, QUALIFIER)).isEqualTo(MINE);
    }
  }

  private static Put put(byte[] column, byte[] value) {
    return new Put(ROW).addColumn(FAMILY, column, value);
  }

  private static CheckAndMutate ifNone(byte[] column, byte[] value) {
    return CheckAndMutate.newBuilder(ROW).ifNotExists(FAMILY, column).build(put(column, value));
  }

  private static CheckAndMutate ifFree(byte[] column, Put put) {
    return when(column, FREE, put);
  }

  private static CheckAndMutate when(byte[] column, byte[] value, Put put) {
    return CheckAndMutate.newBuilder(ROW).ifEquals(FAMILY, column, value).build(put);
  }

  private static byte[] read(TableName name, byte[] column) throws IOException {
    try (var table = MiniCluster.connection().getTable(name)) {
      return table.get(new Get(ROW)).getValue(FAMILY, column);
    }
  }

  private void assertIndexed() throws Exception {
    Eventually.holds(written::assertIndexed);
  }

  private static TestTable strategy(String strategy) throws IOException {
    return TestTable.create("admitted", 1, List.of(TestTable.byQ().withStrategy(strategy)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "in-place", "lazy"})
  void aConditionalWriteShowsBeforeTheValueThatMadeItsConditionTrue(String strategy)
      throws Exception {
    TestTable its = strategy(strategy);
    boolean[] done = new boolean[2];
    overtake(
        its.name(),
        table ->
            done[0] = table.checkAndMutate(ifFree(QUALIFIER, put(QUALIFIER, MINE))).isSuccess(),
        other -> other.put(put(QUALIFIER, FREE)));
    try (DeliTable table = connect(off(0)).getTable(its.name())) {
      done[1] = table.checkAndMutate(ifFree(QUALIFIER, put(QUALIFIER, NEXT))).isSuccess();
    }
    assertThat(done).containsExactly(true, false);
    assertThat(read(its.name(), QUALIFIER)).isEqualTo(MINE);
  }

  @Test
  void aConditionalWriteOfSeveralMutationsIsNeverHalfAdmitted() throws Exception {
    overtake(
        written.name(),
        table ->
            assertThat(
                    table
                        .checkAndMutate(
                            CheckAndMutate.newBuilder(ROW)
                                .ifEquals(FAMILY, OTHER, FREE)
                                .build(
                                    new RowMutations(ROW)
                                        .add(List.of(put(OTHER, MINE), put(QUALIFIER, MINE)))))
                        .isSuccess())
                .isTrue(),
        other -> other.put(put(OTHER, FREE)));
    assertThat(read(written.name(), OTHER)).isEqualTo(MINE);
    assertThat(read(written.name(), QUALIFIER)).isEqualTo(MINE);
    assertIndexed();
  }

  @ParameterizedTest
  @ValueSource(longs = {40, 5_000, -5_000})
  void whatHBaseStampsIsSeenBehindADeleteByAnyClock(long millis) throws Exception {
    int seen = 0;
    try (DeliTable table = connect(off(millis)).getTable(written.name())) {
      for (int i = 0; i < 20; i++) {
        table.delete(new Delete(ROW));
        table.increment(new Increment(ROW).addColumn(FAMILY, OTHER, 1));
        seen += read(written.name(), OTHER) == null ? 0 : 1;
        table.delete(new Delete(ROW));
        table.append(new Append(ROW).addColumn(FAMILY, OTHER, FREE));
        seen += read(written.name(), OTHER) == null ? 0 : 1;
        table.delete(new Delete(ROW));
        table.checkAndMutate(ifNone(OTHER, MINE));
        seen += read(written.name(), OTHER) == null ? 0 : 1;
      }
    }
    assertThat(seen).isEqualTo(60);
  }

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "in-place", "lazy"})
  void aPutBehindAnAcknowledgedOneWinsByAnyClock(String strategy) throws Exception {
    TestTable its = strategy(strategy);
    List<String> wrong = new ArrayList<>();
    try (DeliTable first = connect(off(5_000)).getTable(its.name());
        DeliTable second = connect(off(-5_000)).getTable(its.name())) {
      for (int i = 0; i < 20; i++) {
        DeliTable table = i % 2 == 0 ? first : second;
        table.put(put(QUALIFIER, Bytes.toBytes("v" + i)));
        String read = Bytes.toString(read(its.name(), QUALIFIER));
        if (!read.equals("v" + i)) {
          wrong.add("v" + i + " is " + read);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"increment", "append", "put", "delete", "condition"})
  void aSlowPutComesBehindWhatOvertookIt(String overtaking) throws Exception {
    byte[] seven = Bytes.toBytes(7L);
    overtake(
        written.name(),
        table -> table.put(put(OTHER, seven).addColumn(FAMILY, QUALIFIER, MINE)),
        other -> {
          switch (overtaking) {
            case "increment" -> other.increment(new Increment(ROW).addColumn(FAMILY, OTHER, 1));
            case "append" -> other.append(new Append(ROW).addColumn(FAMILY, OTHER, FREE));
            case "put" -> other.put(put(OTHER, FREE));
            case "delete" -> other.delete(new Delete(ROW));
            default -> other.checkAndMutate(ifNone(OTHER, FREE));
          }
        });
    assertThat(read(written.name(), OTHER)).isEqualTo(seven);
    assertIndexed();
  }

  /** And the one that is overtaken costs no other row anything. */
  @Test
  void ofAListOnlyTheOvertakenRowIsWrittenAgain() throws Exception {
    List<Put> list = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      list.add(new Put(Bytes.toBytes("r" + (i == 0 ? "" : i))).addColumn(FAMILY, QUALIFIER, MINE));
    }
    overtake(written.name(), table -> table.put(list), other -> other.put(put(QUALIFIER, FREE)));
    assertThat(read(written.name(), QUALIFIER)).isEqualTo(MINE);
    assertIndexed();
    assertThat(written.justifiedByDead()).hasSize(51);
  }

  @Test
  void theMutatorAndTheAsyncTableAreAdmittedToo() throws Exception {
    DeliConnection ahead = connect(off(5_000));
    DeliConnection behind = connect(off(-5_000));
    try (BufferedMutator mutator = ahead.getBufferedMutator(written.name());
        DeliTable table = ahead.getTable(written.name())) {
      mutator.mutate(put(QUALIFIER, FREE));
      mutator.flush();
      behind.getAsyncTable(written.name()).put(put(QUALIFIER, MINE)).get(1, TimeUnit.MINUTES);
      assertThat(read(written.name(), QUALIFIER)).isEqualTo(MINE);
      mutator.mutate(new Delete(ROW));
      mutator.flush();
      assertThat(table.exists(new Get(ROW))).isFalse();
      behind
          .getAsyncTable(written.name())
          .checkAndMutate(ifNone(QUALIFIER, NEXT))
          .get(1, TimeUnit.MINUTES);
      assertThat(read(written.name(), QUALIFIER)).isEqualTo(NEXT);
    }
    // And perhaps that of the first timestamp that was ahead.
    assertThat(written.entries()).containsAll(written.justifiedByDead());
  }

  /** More than one a millisecond: what is drawn runs ahead of the clock. */
  @Test
  void whatOthersDoIsSeenBehindManyPutsOfARow() throws Exception {
    List<Put> list = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      list.add(put(OTHER, Bytes.toBytes("v" + i)));
    }
    try (DeliTable table = connect(off(0)).getTable(written.name());
        DeliTable other = connect(off(0)).getTable(written.name())) {
      table.put(list);
      assertThat(read(written.name(), OTHER)).isEqualTo(Bytes.toBytes("v299"));
      other.put(put(OTHER, MINE));
      assertThat(read(written.name(), OTHER)).isEqualTo(MINE);
      table.delete(new Delete(ROW));
      other.increment(new Increment(ROW).addColumn(FAMILY, OTHER, 1));
      assertThat(read(written.name(), OTHER)).isEqualTo(Bytes.toBytes(1L));
    }
  }

  /** Of an index that clients keep, and one that servers do. */
  @Test
  void aTableWithBothKindsOfIndexesIsRightInBoth() throws Exception {
    TestTable both =
        TestTable.create(
            "both",
            3,
            List.of(
                TestTable.byQ(),
                IndexDefinition.on("by_o", Column.of(FAMILY, OTHER))
                    .withMaintenance(Maintenance.SERVER)));
    overtake(
        both.name(),
        table ->
            assertThat(
                    table
                        .checkAndMutate(
                            ifFree(OTHER, put(OTHER, MINE).addColumn(FAMILY, QUALIFIER, MINE)))
                        .isSuccess())
                .isTrue(),
        other -> other.put(put(OTHER, FREE)));
    assertThat(read(both.name(), OTHER)).isEqualTo(MINE);
    overtake(
        both.name(),
        table -> table.put(put(QUALIFIER, NEXT).addColumn(FAMILY, OTHER, NEXT)),
        other ->
            assertThat(other.checkAndMutate(when(OTHER, MINE, put(OTHER, FREE))).isSuccess())
                .isTrue());
    assertThat(read(both.name(), OTHER)).isEqualTo(NEXT);
    Eventually.holds(() -> assertThat(both.entries()).containsAll(both.justifiedByDead()));
  }
}
