package io.deli.test.servermaintained;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;
import static io.deli.test.servermaintained.ServedTable.BY_Q;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.coprocessor.internal.index.WriteIdTags;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.index.ValueType;
import io.deli.service.DrawnTimestamp;
import io.deli.test.cluster.FailingTokenizer;
import io.deli.test.cluster.FailingTokenizer.Failure;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestObserver;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch's mutations fail one by one, and leave nothing behind at the server. */
class ServedBatchesTest {
  private static final String[] NO_GROUPS = {};
  private static final byte[] HUGE = new byte[Short.MAX_VALUE];

  private ServedTable create(IndexDefinition definition) throws IOException {
    return ServedTable.create(definition, "batches", 1);
  }

  private static void set(ServedTable served, Map<String, String> settings) throws IOException {
    TestTable.alter(served.name(), table -> settings.forEach(table::setValue));
  }

  private static byte[] row(String row) {
    return Bytes.toBytes(row);
  }

  private static Put other(String row) {
    return new Put(row(row)).addColumn(FAMILY, OTHER, row(row));
  }

  /** Asserts that of a batch one mutation fails for good, and all others succeed. */
  private static void assertFails(int failing, Table table, List<Row> batch, String reason) {
    Object[] answers = new Object[batch.size()];
    assertThatThrownBy(() -> table.batch(batch, answers))
        .isInstanceOf(RetriesExhaustedWithDetailsException.class);
    List<Integer> failed = new ArrayList<>();
    for (int i = 0; i < answers.length; i++) {
      if (answers[i] instanceof Throwable) {
        failed.add(i);
      }
    }
    assertThat(failed).containsExactly(failing);
    assertThat((Throwable) answers[failing]).hasStackTraceContaining(reason);
  }

  @Test
  void aRefusedPutFailsAlone_besideConditionsAndRowMutations() throws Exception {
    ServedTable served = create(BY_Q);
    try (Table table = served.table()) {
      List<Row> batch =
          List.of(
              CheckAndMutate.newBuilder(row("c")).ifNotExists(FAMILY, OTHER).build(put("c", "v")),
              new RowMutations(row("m")).add(List.of(put("m", "v"), other("m"))),
              put("a", "v"),
              new Put(row("b")).addColumn(FAMILY, QUALIFIER, HUGE),
              put("d", "v"));
      assertFails(3, table, batch, "row limit");
    }
    assertThat(served.assertRight(1)).hasSize(4);
  }

  /** By a time from before their timestamps were drawn. */
  @Test
  void putsWithoutTimestampsPassWhereHBaseRefusesThoseAheadOfItsClock() throws Exception {
    ServedTable served = create(BY_Q);
    set(served, Map.of("hbase.hregion.keyvalue.timestamp.slop.millisecs", "0"));
    List<Put> list = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      list.add(put("r" + i, "v"));
    }
    try (Table table = served.table()) {
      table.put(list);
      for (int i = 0; i < 100; i++) {
        table.put(put("s", "v" + i));
      }
      table.put(put("t", "v").setTTL(TimeUnit.DAYS.toMillis(1)));
      table.mutateRow(new RowMutations(row("u")).add(List.of(put("u", "v"), other("u"))));
      Put ahead = put("a", System.currentTimeMillis() + TimeUnit.DAYS.toMillis(1), "v");
      assertThatThrownBy(() -> table.put(ahead)).hasMessageContaining("out of range");
    }
    assertThat(served.assertRight(1)).hasSize(503).anyMatch(hit -> hit.startsWith("s=v99@"));
  }

  /** Of each with each there is a version, were it applied. */
  @Test
  void aPutOfManyTwinsOfTwoColumnsIsRefusedWithoutEntries() throws Exception {
    ServedTable served =
        create(
            IndexDefinition.on("by_both", Column.of(FAMILY, QUALIFIER), Column.of(FAMILY, OTHER))
                .withMaintenance(Maintenance.SERVER));
    Put twins = new Put(row("t"));
    for (int i = 0; i < 300; i++) {
      twins.addColumn(FAMILY, QUALIFIER, row("q" + i)).addColumn(FAMILY, OTHER, row("o" + i));
    }
    try (Table table = served.table()) {
      List<Row> batch = List.of(twins, put("b", "v").addColumn(FAMILY, OTHER, row("o")));
      assertFails(0, table, batch, "a column is put twice with one timestamp");
    }
    assertThat(read(served)).containsExactly("b");
  }

  /** As Import and CopyTable set them, with their own cluster's, and any client may. */
  @Test
  void aPutThatNamesClustersAndIsNotReplicatedIsRefusedAsAnyOther() throws Exception {
    ServedTable served = create(BY_Q.withType(ValueType.LONG));
    UUID own = UUID.fromString(MiniCluster.connection().getClusterId());
    UUID other = new UUID(0, 1);
    try (Table table = served.table()) {
      Put claimed = put("r", "text").setClusterIds(List.of(other, own));
      assertThatThrownBy(() -> table.put(claimed)).hasMessageContaining("not a valid LONG");
    }
    User stranger = User.createUserForTesting(MiniCluster.configuration(), "stranger", NO_GROUPS);
    PrivilegedExceptionAction<Boolean> put =
        () -> {
          try (Connection theirs = ConnectionFactory.createConnection(MiniCluster.configuration());
              Table table = theirs.getTable(served.name())) {
            table.put(put("r", "text").setClusterIds(List.of(other)));
            return true;
          }
        };
    assertThatThrownBy(() -> stranger.runAs(put)).hasStackTraceContaining("not a valid LONG");
    assertThat(served.base(1)).isEmpty();
  }

  /** By a client that takes tags along. */
  @Test
  void aCopyHasWhatADeleteRestored() throws Exception {
    ServedTable from = create(BY_Q);
    ServedTable to = create(BY_Q);
    try (Connection tagged =
            ConnectionFactory.createConnection(
                MiniCluster.configuration(
                    HConstants.RPC_CODEC_CONF_KEY, KeyValueCodecWithTags.class.getName()));
        Table source = tagged.getTable(from.name());
        Table copy = tagged.getTable(to.name())) {
      source.put(List.of(put("r", 1, "v1"), put("r", 2, "v2")));
      source.delete(new Delete(row("r")).addColumn(FAMILY, QUALIFIER, 2));
      Cell restored = source.get(new Get(row("r"))).rawCells()[0];
      assertThat(WriteIdTags.isRestored(restored)).isTrue();
      UUID own = UUID.fromString(tagged.getClusterId());
      copy.put(List.of(new Put(row("r")).add(restored).setClusterIds(List.of(own))));
      assertThat(to.assertRight(1)).isEqualTo(from.assertRight(1)).hasSize(1);
      // Or peers of the copy would take it for what a delete of the copy has restored.
      assertThat(copy.get(new Get(row("r"))).rawCells()).noneMatch(WriteIdTags::isRestored);
    }
  }

  /** The rows of the entries. */
  private static List<String> read(ServedTable served) throws IOException {
    return served.read(served.index()).stream().map(entry -> Bytes.toString(entry.key())).toList();
  }

  /** Asserts that a Put fails which an observer changes behind DELI's. */
  private void assertRefusedBehind(Put first, HookObserver.Action<Put> change) throws Exception {
    ServedTable served = create(BY_Q);
    HookObserver.on(served.name(), Coprocessor.PRIORITY_LOWEST)
        .each(Moment.PUT, put -> Bytes.equals(put.getRow(), first.getRow()), change);
    Configuration impatient = MiniCluster.configuration();
    impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    try (Connection connection = ConnectionFactory.createConnection(impatient);
        Table table = connection.getTable(served.name())) {
      assertFails(0, table, List.of(first, put("b", "v")), "another coprocessor");
    }
    assertThat(served.assertRight(1)).hasSize(1);
  }

  @Test
  void anIndexedColumnThatAnotherCoprocessorAddsIsRefused() throws Exception {
    assertRefusedBehind(
        other("a"), (region, put) -> put.addColumn(FAMILY, QUALIFIER, 7, row("added")));
  }

  @Test
  void anIndexedColumnThatAnotherCoprocessorChangesIsRefused() throws Exception {
    assertRefusedBehind(
        put("a", "v"),
        (region, put) -> {
          Cell cell = put.get(FAMILY, QUALIFIER).get(0);
          put.getFamilyCellMap().clear();
          put.addColumn(FAMILY, QUALIFIER, cell.getTimestamp(), row("changed"));
        });
  }

  @Test
  void aDeleteThatCannotBeRestoredFailsAlone() throws Exception {
    ServedTable served = create(BY_Q.withTokenizer(FailingTokenizer.class.getName()));
    try (Table table = served.table()) {
      table.put(List.of(put("a", "brittle"), put("b", "older"), put("c", "older")));
      table.put(List.of(put("a", "newer"), put("b", "newer"), put("c", "newer")));
      MiniCluster.utility().flush(served.name());
      served.deleteEntries();
      FailingTokenizer.fail("brittle"::equals, Failure.STATE);
      List<Row> batch =
          List.of(
              new Delete(row("b")).addColumn(FAMILY, QUALIFIER),
              new Delete(row("a")).addColumn(FAMILY, QUALIFIER),
              other("d"),
              new Delete(row("c")).addColumn(FAMILY, QUALIFIER));
      assertFails(1, table, batch, "by_q");
      assertThat(served.base(1)).hasSize(3).noneMatch(version -> version.contains("brittle"));
      assertThat(served.found(1)).hasSize(2).allMatch(version -> version.contains("older"));
    } finally {
      FailingTokenizer.work();
    }
  }

  /** Though each delete exposes all that those before it do. A part may be tried again. */
  @Test
  void deletesOfOneRowRestoreEachVersionOnce() throws Exception {
    ServedTable served = ServedTable.create(BY_Q, "batches", 100);
    List<Put> puts = new ArrayList<>();
    List<Row> deletes = new ArrayList<>();
    for (int at = 600; at > 0; at--) {
      puts.add(put("r", at, "v" + at));
      if (at > 300) {
        deletes.add(new Delete(row("r")).addColumn(FAMILY, QUALIFIER, at));
      }
    }
    AtomicInteger entries = new AtomicInteger();
    try (Table table = served.table()) {
      table.put(puts);
      HookObserver.on(served.index().table())
          .each(Moment.PUT, (region, put) -> entries.incrementAndGet());
      table.batch(deletes, new Object[deletes.size()]);
    }
    assertThat(entries).hasValueLessThanOrEqualTo(1_000);
    assertThat(served.assertRight(100)).hasSize(100);
  }

  /** Adds to the edits that HBase hands along with mutations, each of which it hands along once. */
  public static final class AddingToEdits implements TestObserver {
    @Override
    public void prePut(
        ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) {
      add(edit, put);
    }

    @Override
    public void preDelete(
        ObserverContext<RegionCoprocessorEnvironment> context, Delete delete, WALEdit edit) {
      add(edit, delete);
    }

    private static void add(WALEdit edit, Mutation mutation) {
      edit.add(new KeyValue(mutation.getRow(), WALEdit.METAFAMILY, OTHER, OTHER));
    }
  }

  /** Runs a batch without errors, beside that observer. */
  private static void runBesideAddedEdits(ServedTable served, List<? extends Row> batch)
      throws Exception {
    TestTable.alter(served.name(), table -> table.setCoprocessor(AddingToEdits.class.getName()));
    Configuration impatient = MiniCluster.configuration();
    impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    try (Connection connection = ConnectionFactory.createConnection(impatient);
        Table table = connection.getTable(served.name())) {
      table.batch(batch, new Object[batch.size()]);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void exactDeletesOfARowAreApplied_ifAnObserverAddsToTheirEdits(boolean atomic) throws Exception {
    ServedTable served = create(BY_Q);
    try (Table table = served.table()) {
      table.put(List.of(put("r", 1, "v1"), put("r", 2, "v2"), put("r", 3, "v3")));
    }
    served.deleteEntriesAt(1);
    List<Delete> deletes =
        List.of(
            new Delete(row("r")).addColumn(FAMILY, QUALIFIER, 3),
            new Delete(row("r")).addColumn(FAMILY, QUALIFIER, 2));
    runBesideAddedEdits(served, atomic ? List.of(RowMutations.of(deletes)) : deletes);
    assertThat(served.assertRight(1)).containsExactly("r=v1@1");
  }

  /** Or a write that is applied while the others wait could hide the first alone. */
  @Test
  void putsOfARowHaveOneTimestamp_ifAnObserverAddsToTheirEdits() throws Exception {
    ServedTable served = create(BY_Q);
    runBesideAddedEdits(served, List.of(put("r", "v"), put("s", "v"), other("r")));
    assertThat(served.assertRight(1)).hasSize(2);
    try (Table table = served.table()) {
      assertThat(table.get(new Get(row("r"))).listCells().stream().map(Cell::getTimestamp))
          .hasSize(2)
          .containsOnly(table.get(new Get(row("r"))).rawCells()[0].getTimestamp());
    }
  }

  /** As many as HBase lets prepare at a time are under way if none is forgotten. */
  @Test
  void whatIsRefusedIsNotUnderWayAnyMore() throws Exception {
    ServedTable served = create(BY_Q);
    set(
        served,
        Map.of(
            "hbase.region.store.parallel.put.limit", "1",
            "hbase.region.store.parallel.prepare.put.multiplier", "2",
            "hbase.region.store.parallel.put.limit.min.column.count", "0"));
    Configuration impatient = MiniCluster.configuration();
    impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    try (Connection connection = ConnectionFactory.createConnection(impatient);
        Table table = connection.getTable(served.name())) {
      for (int i = 0; i < 5; i++) {
        Put stale = new Put(row("r")).addColumn(FAMILY, QUALIFIER, 1, row("stale"));
        new DrawnTimestamp(1, false, false).setOn(stale);
        assertThatThrownBy(() -> table.put(stale))
            .hasStackTraceContaining("FailedSanityCheckException")
            .hasStackTraceContaining("was not admitted");
      }
      table.put(put("r", "v"));
    }
    assertThat(served.assertRight(1)).hasSize(1);
  }

  @Test
  void entriesGoInPiecesOfAClientsBuffer() throws Exception {
    ServedTable served = create(BY_Q);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      puts.add(put("r" + i, "v"));
    }
    Set<Object> requests = ConcurrentHashMap.newKeySet();
    HookObserver.on(served.index().table())
        .each(Moment.PUT, (region, put) -> requests.add(RpcServer.getCurrentCall().orElseThrow()));
    try (Table table = served.table()) {
      table.put(puts);
      assertThat(requests).hasSize(1);
      requests.clear();
      set(served, Map.of("hbase.client.write.buffer", "1000"));
      table.put(puts);
      assertThat(requests).hasSizeBetween(2, 10);
    }
    assertThat(served.assertRight(1)).hasSize(10);
  }
}
