package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.config.DeliSettings;
import io.deli.entry.RowClock;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.index.ValueType;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.RegionServerRpcs;
import io.deli.test.cluster.TestTable;
import io.deli.test.fault.Faults;
import io.deli.test.fault.FaultyConnection;
import io.deli.test.fault.Way;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What becomes of the others when one mutation fails. */
class FailuresOfOneTest {
  private static final int LEASE_MILLIS = 300;
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final byte[] BAD = Bytes.toBytes("bad");
  private static final byte[] VALUE = Bytes.toBytes("v");

  private static Put put(byte[] row) {
    return new Put(row).addColumn(FAMILY, QUALIFIER, VALUE);
  }

  private static List<Put> many(int count, Put... more) {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      puts.add(put(Bytes.toBytes("row" + i)));
    }
    puts.addAll(count / 2, List.of(more));
    return puts;
  }

  private static TestTable forbidding() throws IOException {
    TestTable written = TestTable.create("forbidding", 1);
    forbidBad(written.name());
    return written;
  }

  private static void forbidBad(TableName table) throws IOException {
    HookObserver.on(table)
        .each(
            Moment.PUT,
            put -> Bytes.equals(put.getRow(), BAD),
            (region, put) -> {
              throw new DoNotRetryIOException("forbidden");
            });
  }

  @Test
  void aForbiddenPutFailsNoneThatTravelsWithIt() throws Exception {
    TestTable written = forbidding();
    Configuration configuration = MiniCluster.configuration();
    configuration.setInt(DeliSettings.WRITE_DIRECT.key(), 1);
    try (DeliConnection connection = MiniCluster.connect(configuration)) {
      AsyncDeliTable table = connection.getAsyncTable(written.name());
      table.put(put(ROW)).get(1, TimeUnit.MINUTES);
      List<String> failed = new ArrayList<>();
      List<Put> puts = many(50, put(BAD));
      List<CompletableFuture<Void>> answers = puts.stream().map(table::put).toList();
      for (int i = 0; i < puts.size(); i++) {
        if (answers.get(i).handle((done, error) -> error != null).get(1, TimeUnit.MINUTES)) {
          failed.add(Bytes.toString(puts.get(i).getRow()));
        }
      }
      assertThat(failed).containsExactly("bad");
      try (DeliTable blocking = connection.getTable(written.name())) {
        RetriesExhaustedWithDetailsException list =
            catchThrowableOfType(
                RetriesExhaustedWithDetailsException.class, () -> blocking.put(many(50, put(BAD))));
        assertThat(list.getNumExceptions()).isEqualTo(1);
        assertThat(list.getRow(0).getRow()).isEqualTo(BAD);
      }
    }
  }

  /** Those of many threads to a table for which they write no entries. */
  @Test
  void ofSingleWritesThatShareARequestAForbiddenOneFailsAlone() throws Exception {
    TestTable written =
        TestTable.create("shared", 1, List.of(TestTable.byQ().withStrategy("none")));
    forbidBad(written.name());
    Configuration configuration = MiniCluster.configuration();
    configuration.setInt(DeliSettings.WRITE_DIRECT.key(), 1);
    ExecutorService threads = Executors.newFixedThreadPool(20);
    try (DeliConnection connection = MiniCluster.connect(configuration);
        DeliTable table = connection.getTable(written.name())) {
      RegionServerRpcs before = RegionServerRpcs.sofar();
      List<Future<Put>> writes = new ArrayList<>();
      for (Put put : many(500, put(BAD))) {
        writes.add(
            threads.submit(
                () -> {
                  table.put(put);
                  return put;
                }));
      }
      assertThatThrownBy(() -> writes.remove(250).get(1, TimeUnit.MINUTES))
          .hasCauseInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("forbidden");
      for (Future<Put> write : writes) {
        write.get(1, TimeUnit.MINUTES);
      }
      assertThat(RegionServerRpcs.sofar().since(before).multis()).isBetween(1L, 400L);
      assertThatThrownBy(() -> table.put(new Put(ROW)))
          .isInstanceOf(IllegalArgumentException.class);
    } finally {
      threads.shutdown();
    }
    assertThat(written.cells(new Scan().readAllVersions())).hasSize(500);
  }

  /** HBase's client keeps one failure for all of a region. */
  @Test
  void conditionsAndRowsOfMutationsThatShareARequestFailEachForItsOwnReason() throws Exception {
    TestTable written = TestTable.create("reasons", 1);
    HookObserver.on(written.name())
        .each(
            Moment.PUT,
            put -> Bytes.startsWith(put.getRow(), BAD),
            (region, put) -> {
              throw new DoNotRetryIOException("forbidden");
            });
    Configuration configuration = MiniCluster.configuration();
    configuration.setInt(DeliSettings.WRITE_DIRECT.key(), 1);
    try (DeliConnection connection = MiniCluster.connect(configuration)) {
      AsyncDeliTable table = connection.getAsyncTable(written.name());
      table.put(new Put(ROW).addColumn(FAMILY, OTHER, VALUE)).get(1, TimeUnit.MINUTES);
      RowMutations wrong = RowMutations.of(List.of(new Increment(ROW).addColumn(FAMILY, OTHER, 1)));
      List<CompletableFuture<?>> answers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        byte[] row = Bytes.toBytes("bad" + i);
        answers.add(
            table.checkAndMutate(
                CheckAndMutate.newBuilder(row).ifNotExists(FAMILY, OTHER).build(put(row))));
        answers.add(table.mutateRow(wrong));
      }
      for (int i = 0; i < answers.size(); i++) {
        CompletableFuture<?> answer = answers.get(i);
        assertThatThrownBy(() -> answer.get(1, TimeUnit.MINUTES))
            .as("operation %d", i)
            .hasMessageContaining(i % 2 == 0 ? "forbidden" : "not a long");
      }
    }
  }

  /** It was taken by the definitions of before. */
  @Test
  void aBufferedPutThatANewIndexRefusesFailsAlone() throws Exception {
    TestTable written = TestTable.create("buffered", 1);
    try (DeliConnection connection = MiniCluster.connect(MiniCluster.configuration(LEASE_MILLIS));
        BufferedMutator mutator = connection.getBufferedMutator(written.name())) {
      mutator.mutate(put(ROW).addColumn(FAMILY, OTHER, Bytes.toBytes(7)));
      mutator.mutate(put(BAD).addColumn(FAMILY, OTHER, Bytes.toBytes("seven")));
      connection
          .getDeliAdmin()
          .createIndex(
              written.name(),
              IndexDefinition.on("by_o", Column.of(FAMILY, OTHER)).withType(ValueType.INT));
      TimeUnit.MILLISECONDS.sleep(2 * LEASE_MILLIS);
      RetriesExhaustedWithDetailsException failure =
          catchThrowableOfType(RetriesExhaustedWithDetailsException.class, mutator::flush);
      assertThat(failure.getNumExceptions()).isEqualTo(1);
      assertThat(failure.getRow(0).getRow()).isEqualTo(BAD);
      assertThat(failure.getCause(0)).hasMessageContaining("by_o");
    }
    assertThat(written.cells(new Scan().readAllVersions())).hasSize(2);
  }

  /** HBase's own mutator takes it; its table does not. */
  @Test
  void aCellWithinTheLimitOfItsMutatorFailsNone() throws Exception {
    TestTable written = TestTable.create("large", 1);
    BufferedMutatorParams params =
        new BufferedMutatorParams(written.name()).maxKeyValueSize(1 << 20);
    try (DeliConnection connection =
            MiniCluster.connect(
                MiniCluster.configuration("hbase.client.keyvalue.maxsize", "1000"));
        BufferedMutator mutator = connection.getBufferedMutator(params)) {
      mutator.mutate(List.of(put(ROW), new Put(BAD).addColumn(FAMILY, QUALIFIER, new byte[2_000])));
    }
    assertThat(written.cells(new Scan())).hasSize(2);
    written.assertIndexed();
  }

  private static TestTable served() throws IOException {
    return TestTable.create(
        "served",
        1,
        List.of(
            TestTable.byQ().withMaintenance(Maintenance.SERVER),
            IndexDefinition.on("by_o", Column.of(FAMILY, OTHER))
                .withMaintenance(Maintenance.SERVER)));
  }

  /** By HBase's own client. */
  @Test
  void onAServedTableAValueTooLongFailsAlone() throws Exception {
    TestTable written = served();
    Put tooLong = new Put(BAD).addColumn(FAMILY, QUALIFIER, new byte[Short.MAX_VALUE]);
    try (Connection connection = ConnectionFactory.createConnection(MiniCluster.configuration());
        Table table = connection.getTable(written.name())) {
      RetriesExhaustedWithDetailsException failure =
          catchThrowableOfType(
              RetriesExhaustedWithDetailsException.class, () -> table.put(many(1_000, tooLong)));
      assertThat(failure.getNumExceptions()).isEqualTo(1);
      assertThat(failure.getRow(0).getRow()).isEqualTo(BAD);
      assertThat(failure.getCause(0)).hasMessageContaining("exceeds HBase's row limit");
      assertThatThrownBy(() -> table.put(tooLong)).hasMessageContaining("row limit");
    }
    assertThat(written.cells(new Scan().readAllVersions())).hasSize(1_000);
    written.assertIndexed();
  }

  @Test
  void onAServedTableADisabledIndexFailsOnlyWhatItCovers() throws Exception {
    TestTable written = served();
    Configuration configuration = MiniCluster.configuration();
    configuration.setInt("hbase.client.retries.number", 1);
    try (Admin admin = MiniCluster.connection().getAdmin();
        Connection connection = ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(written.name())) {
      admin.disableTable(TableName.valueOf(written.name().getNameAsString() + ".by_o"));
      RetriesExhaustedWithDetailsException failure =
          catchThrowableOfType(
              RetriesExhaustedWithDetailsException.class,
              () -> table.put(many(10, new Put(BAD).addColumn(FAMILY, OTHER, VALUE))));
      assertThat(failure.getNumExceptions()).isEqualTo(1);
      assertThat(failure.getRow(0).getRow()).isEqualTo(BAD);
      assertThat(written.cells(new Scan().readAllVersions())).hasSize(10);
    }
  }

  @Test
  void afterADropAListIsWrittenInItsOrder() throws Exception {
    TestTable written = TestTable.create("dropped", 1);
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable table = connection.getTable(written.name())) {
      table.put(put(Bytes.toBytes("known")));
      DeliAdmin.of(MiniCluster.connection()).dropIndex(written.name(), "by_q");
      byte[] second = Bytes.toBytes("s");
      Put again = new Put(second).addColumn(FAMILY, QUALIFIER, OTHER);
      table.batch(List.of(put(ROW), put(second), new Delete(ROW), again), new Object[4]);
      assertThat(table.exists(new Get(ROW))).isFalse();
      assertThat(table.get(new Get(second)).getValue(FAMILY, QUALIFIER)).isEqualTo(OTHER);
    }
  }

  /** Readers may delete an entry of that age that has no version yet. */
  @Test
  void noPartOfALongListBeginsWithOldEntries() throws Exception {
    TestTable written = TestTable.create("long", 1);
    Configuration configuration = MiniCluster.configuration();
    configuration.setInt(DeliSettings.WRITE_QUEUE.key(), 4);
    AtomicReference<FaultyConnection> opened = new AtomicReference<>();
    AtomicBoolean leapt = new AtomicBoolean();
    Faults leaping =
        (way, operations) -> {
          if (way == Way.INDEX && leapt.compareAndSet(false, true)) {
            opened.get().leap(TimeUnit.MINUTES.toNanos(11));
          }
          return Faults.NONE.strike(way, operations);
        };
    try (FaultyConnection connection =
        FaultyConnection.open(
            configuration, new RowClock(InstantSource.system())::next, Duration.ZERO)) {
      opened.set(connection);
      connection.suffering(leaping);
      try (DeliTable table = connection.getTable(written.name())) {
        table.put(many(5));
      }
    }
    List<Cell> entries = TestTable.cells(written.index().table());
    assertThat(entries).as("only the first part took long, and has its entries twice").hasSize(6);
  }
}
