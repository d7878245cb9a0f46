package io.deli.test.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import io.deli.client.DeliAdmin;
import io.deli.client.internal.RegionClient;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.service.RegionService;
import io.deli.service.RegionService.Entries;
import io.deli.service.RegionService.Suspect;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.test.cluster.Counters;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Region servers write to index tables for readers only what is right, whatever these ask. */
class UntrustedReadersTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] V = Bytes.toBytes("v");
  private static final byte[] A = Bytes.toBytes("a");
  private static final byte[] ROW = Bytes.toBytes("r");

  @AutoClose("stop")
  private static SecuredCluster cluster;

  private static User reader;
  private static int tables;

  private TableName table;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecuredCluster.start();
    reader = cluster.user("reader");
  }

  @BeforeEach
  void create() throws IOException {
    table = TableName.valueOf("guarded" + tables++);
    cluster.utility().createTable(table, F);
    cluster.grant(reader, table, "", Action.READ);
  }

  private Index index(String strategy) throws IOException {
    IndexDefinition definition = IndexDefinition.on("by_v", Column.of(F, V)).withStrategy(strategy);
    DeliAdmin.of(cluster.connection()).createIndex(table, definition);
    return Index.of(table, definition);
  }

  private void put(TableName to, Put put) throws IOException {
    try (Table target = cluster.connection().getTable(to)) {
      target.put(put);
    }
  }

  /** With all that deletes hide, and the deletes. */
  private List<Cell> cells(Index index) throws IOException {
    return TestTable.cells(
        cluster.connection(), index.table(), new Scan().setRaw(true).readAllVersions());
  }

  private void call(User user, MethodDescriptor method, Message request) throws Exception {
    cluster.asPlain(
        user,
        connection -> {
          try (Table guarded = connection.getTable(table)) {
            RegionClient.call(guarded, ROW, method, request);
          }
        });
  }

  private static Message sweep(Entry... entries) {
    return new Entries("by_v", 1, List.of(entries)).toMessage();
  }

  /** As of a file that was loaded, to which the server gave an identity. */
  @ParameterizedTest
  @ValueSource(strings = {"deferred", "eager"})
  void theOnlyEntryOfAVersion_stays_whateverOthersAreNamed(String strategy) throws Exception {
    Index index = index(strategy);
    Entry only = new Entry(A, ROW, 5, WriteId.of(1, 1));
    put(table, new Put(ROW).addColumn(F, V, 5, A));
    write(index, only);
    Entry invented = new Entry(A, ROW, 5, WriteId.NONE);
    Entry younger = new Entry(A, ROW, 5, WriteId.of(2, 2));
    call(reader, RegionService.SWEEP, sweep(only, invented, younger));
    assertThat(cells(index)).hasSize(1);
    assertThat(entries(index)).containsExactly(only);
    write(index, younger);
    call(reader, RegionService.SWEEP, sweep(only, younger));
    assertThat(entries(index)).containsExactly(younger);
    write(index, invented);
    call(reader, RegionService.SWEEP, sweep(younger, invented));
    assertThat(entries(index)).containsExactly(invented);
  }

  private void write(Index index, Entry entry) throws IOException {
    Put put =
        index
            .strategy()
            .write(index, new BaseVersion(entry.key(), A, entry.timestamp(), entry.writeId()))
            .get(0);
    put(index.table(), put);
  }

  private List<Entry> entries(Index index) throws IOException {
    return new TestTable(cluster.connection(), table, List.of(index)).read(index);
  }

  @Test
  void ofEntriesThatNeverWere_nothingIsWritten() throws Exception {
    Index index = index("deferred");
    Entry never = new Entry(A, ROW, 5, WriteId.NONE);
    long before = Counters.value("repairsDeleted");
    call(reader, RegionService.SWEEP, sweep(never, new Entry(A, ROW, 6, WriteId.of(1, 1))));
    call(reader, RegionService.REPAIR, new Suspect("by_v", never).toMessage());
    // Of this one there is something to see; which is done first, nobody knows.
    Entry garbage = new Entry(A, Bytes.toBytes("gone"), 5, WriteId.NONE);
    write(index, garbage);
    call(reader, RegionService.REPAIR, new Suspect("by_v", garbage).toMessage());
    cluster.utility().waitFor(20_000, () -> Counters.value("repairsDeleted") - before >= 2);
    assertThat(entries(index)).isEmpty();
    assertThat(cells(index))
        .hasSize(2)
        .allMatch(cell -> Bytes.toString(CellUtil.cloneRow(cell)).endsWith("gone"));
  }

  /** One server has all regions, and applies the deletes to its own. */
  @Test
  void aSweep_asksAnIndexServerByOneRequest() throws Exception {
    Index index = index("deferred");
    List<Entry> garbage = new ArrayList<>();
    for (int i = 1; i <= 500; i++) {
      garbage.add(new Entry(A, ROW, i, WriteId.NONE));
      write(index, garbage.get(i - 1));
    }
    long before = requests();
    call(reader, RegionService.SWEEP, sweep(garbage.toArray(Entry[]::new)));
    assertThat(requests() - before).isEqualTo(1);
    assertThat(entries(index)).isEmpty();
  }

  private long requests() {
    HRegionServer server = cluster.utility().getMiniHBaseCluster().getRegionServer(0);
    return server.getMetrics().getRegionServerWrapper().getRpcMultiRequestsCount();
  }

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "eager"})
  void aSweep_ofNamedEntriesThatMayAllStay_readsNoIndex(String strategy) throws Exception {
    Index index = index(strategy);
    Entry held = new Entry(A, ROW, 5, WriteId.NONE);
    put(table, new Put(ROW).addColumn(F, V, 5, A));
    write(index, held);
    long before = requests();
    call(reader, RegionService.SWEEP, sweep(held, held));
    assertThat(requests() - before).isZero();
    assertThat(entries(index)).containsExactly(held);
  }

  @Test
  void whereCellsGrant_whoMayNotReadTheColumnHasNothingExamined() throws Exception {
    Index index = index("deferred");
    cluster.letCellsGrant(table);
    Entry garbage = new Entry(A, ROW, 5, WriteId.NONE);
    write(index, garbage);
    User stranger = cluster.user("stranger");
    cluster.grant(stranger, table, "w", Action.READ);
    assertThatThrownBy(() -> call(stranger, RegionService.SWEEP, sweep(garbage)))
        .isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(
            () -> call(stranger, RegionService.REPAIR, new Suspect("by_v", garbage).toMessage()))
        .isInstanceOf(AccessDeniedException.class);
    HostileAttempts attempts = new HostileAttempts();
    cluster.asPlain(
        stranger,
        connection -> {
          try (Table guarded = connection.getTable(table)) {
            new HostileRequests(new HostileBytes(new Random(1)), guarded, F, "by_v")
                .expectNothing(attempts, 40);
          }
        });
    attempts.report("requests of a stranger where cells grant");
    assertThat(entries(index)).containsExactly(garbage);
    call(reader, RegionService.SWEEP, sweep(garbage));
    assertThat(entries(index)).isEmpty();
  }
}
