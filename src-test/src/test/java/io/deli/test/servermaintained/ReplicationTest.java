package io.deli.test.servermaintained;

import static io.deli.test.cluster.TestTable.COLUMN;
import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;
import static io.deli.test.servermaintained.ServedTable.BY_Q;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.config.DeliSettings;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.index.ValueType;
import io.deli.test.cluster.Counters;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tables that HBase replicates to another cluster, whose region servers maintain an index of its
 * own; clients maintain another on this side.
 */
class ReplicationTest {
  private static final int VERSIONS = 3;
  private static final IndexDefinition BY_BOTH =
      IndexDefinition.on("by_both", COLUMN, Column.of(FAMILY, OTHER))
          .withMaintenance(Maintenance.SERVER);
  private static final IndexDefinition BY_CLIENT =
      IndexDefinition.on("by_client", Column.of(FAMILY, QUALIFIER));

  private static HBaseTestingUtility peer;
  private static DeliConnection clients;

  private final long seed = Long.getLong("deli.seed", 20240611);

  @BeforeAll
  static void start() throws Exception {
    peer = MiniCluster.startBeside("/peer");
    clients = MiniCluster.connect();
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      if (clients != null) {
        clients.close();
      }
    } finally {
      if (peer != null) {
        peer.shutdownMiniHBaseCluster();
      }
    }
  }

  private static ReplicatedTable create(String stem) throws Exception {
    return create(stem, clients, BY_CLIENT, BY_Q, VERSIONS);
  }

  private static ReplicatedTable create(
      String stem,
      Connection writers,
      IndexDefinition indexHere,
      IndexDefinition indexThere,
      int versions)
      throws Exception {
    TableName name = MiniCluster.uniqueTable(stem);
    ServedTable there =
        ServedTable.create(
            peer.getConnection(), name, indexThere, versions, ReplicatedTable.splitsThere());
    ServedTable here =
        ServedTable.create(writers, name, indexHere, versions, ReplicatedTable.splitsHere());
    MiniCluster.spread(name);
    ReplicatedTable.giveScope(name);
    return ReplicatedTable.begin(here, there, peer);
  }

  private static byte[] row(String row) {
    return Bytes.toBytes(row);
  }

  private static void assertVerified(ServedTable table) throws IOException {
    VerifyReport report =
        DeliAdmin.of(table.plain())
            .verify(
                table.name(), table.index().name(), VerifyOptions.DEFAULT, ProgressListener.NONE);
    assertThat(report.isComplete()).isTrue();
    assertThat(report.isClean()).as("%s", report).isTrue();
  }

  @Test
  void thePeerAnswersAsItsTableDoesAndCollects() throws Exception {
    try (ReplicatedTable table = create("replicated");
        Admin admin = MiniCluster.connection().getAdmin()) {
      // Their definitions differ, as they should.
      assertThatThrownBy(() -> admin.enableTableReplication(table.here().name()))
          .hasMessageContaining("descriptors are not same");
      write(table.here());
      SortedSet<String> all = table.awaitAll(VERSIONS);
      assertThat(all).contains("ra=older@7", "rc=old@7");
      assertThat(table.there().assertRight(VERSIONS)).isEqualTo(all);
      SortedSet<String> newest = table.there().assertRight(1);
      assertThat(newest).isEqualTo(table.here().assertRight(1)).contains("rc=old@7");
      assertThat(newest).noneMatch(hit -> hit.matches("r[bhg]=.*"));
      assertThat(newest).anyMatch(hit -> hit.startsWith("re=v1@"));
      assertVerified(table.there());

      DeliAdmin.of(table.there().plain()).collect(table.there().name(), ProgressListener.NONE);

      assertThat(new TreeSet<>(table.there().held())).isEqualTo(all);
      table.there().assertRight(1);
      assertVerified(table.there());
    }
  }

  /** New and changed rows; one row of two versions that are deleted in every other way. */
  private static void write(ServedTable served) throws Exception {
    try (Table table = served.table()) {
      table.put(put("ra", "v1"));
      table.put(put("ra", "v2"));
      table.put(at("ra", 7, "older"));
      table.put(at("rc", 7, "old"));
      List<Put> puts = new ArrayList<>();
      for (String row : List.of("rb", "re", "rg", "rh", "ri", "rk")) {
        puts.add(put(row, "v1"));
      }
      table.put(puts);
      List<Row> batch = new ArrayList<>();
      for (String row : List.of("re", "rg", "rh", "ri", "rl")) {
        batch.add(put(row, "v2"));
      }
      batch.add(new Delete(row("rb")));
      table.batch(batch, new Object[batch.size()]);
      table.delete(new Delete(row("re")).addColumn(FAMILY, QUALIFIER));
      table.delete(new Delete(row("rg")).addColumns(FAMILY, QUALIFIER));
      table.delete(new Delete(row("rh")));
      table.mutateRow(new RowMutations(row("ri")).add(List.of(put("ri", "v3"))));
      table.checkAndMutate(
          CheckAndMutate.newBuilder(row("rk"))
              .ifEquals(FAMILY, QUALIFIER, Bytes.toBytes("v1"))
              .build(put("rk", "v2")));
    }
  }

  private static Put at(String row, long timestamp, String value) {
    return new Put(row(row)).addColumn(FAMILY, QUALIFIER, timestamp, Bytes.toBytes(value));
  }

  /** Some of which come again, at timestamps that come again. */
  @Test
  void thePeerAnswersAsItsTableDoesAfterAnyWrites() throws Exception {
    try (ReplicatedTable table = create("replicated")) {
      new PlainWriters(table.here(), seed, false).run(1, 200);
      SortedSet<String> all = table.awaitAll(VERSIONS);
      assertThat(table.there().assertRight(VERSIONS)).isEqualTo(all);
      assertThat(table.there().assertRight(1)).isEqualTo(table.here().assertRight(1));
      assertVerified(table.there());
      DeliAdmin.of(table.there().plain()).collect(table.there().name(), ProgressListener.NONE);
      assertThat(table.there().assertRight(VERSIONS)).isEqualTo(all);
      assertVerified(table.there());
    }
  }

  /** HBase makes one Put of them. */
  @Test
  void putsOfARowInOneListReachAnIndexOnSeveralColumns() throws Exception {
    try (ReplicatedTable table =
            create("joined", MiniCluster.connection(), BY_BOTH, BY_BOTH, VERSIONS);
        Table rows = table.here().table()) {
      rows.put(List.of(both("ra", "v1", "w1"), both("ra", "v2", "w2"), both("rb", "v1", "w2")));
      rows.put(both("rd", "v1", "w1"));
      SortedSet<String> written = table.here().base(VERSIONS);
      Eventually.holdsElsewhere(() -> assertThat(table.there().base(VERSIONS)).isEqualTo(written));

      assertThat(found(table.there(), "v1", "w2")).containsExactly("rb");
      assertThat(found(table.there(), "v2", "w2")).containsExactly("ra");
      // Once each: what the sink tries again has other write ids.
      assertThat(table.there().entrySet()).hasSize(3);
      assertVerified(table.there());
    }
  }

  private static Put both(String row, String value, String other) {
    return put(row, value).addColumn(FAMILY, OTHER, Bytes.toBytes(other));
  }

  private static List<String> found(ServedTable table, String value, String other)
      throws IOException {
    return found(
        table,
        ValueQuery.on(BY_BOTH.name()).leading(Bytes.toBytes(value)).equalTo(Bytes.toBytes(other)));
  }

  private static List<String> found(ServedTable table, ValueQuery query) throws IOException {
    try (DeliConnection deli = MiniCluster.connect(table.plain().getConfiguration());
        DeliTable of = deli.getTable(table.name())) {
      return TestTable.find(of, query);
    }
  }

  @Test
  void aValueThatThePeersIndexDoesNotTakeIsReplicatedWithoutEntry() throws Exception {
    try (ReplicatedTable table =
            create("typed", clients, BY_CLIENT, BY_Q.withType(ValueType.LONG), VERSIONS);
        Table rows = table.here().table()) {
      rows.put(put("ra", "text"));
      byte[] number = Bytes.toBytes(7L);
      rows.put(new Put(row("rb")).addColumn(FAMILY, QUALIFIER, number));
      table.awaitAll(1);

      assertThat(found(table.there(), ValueQuery.on(BY_Q.name()).equalTo(number)))
          .containsExactly("rb");
    }
  }

  /** The delete that exposes it here has nothing to expose there. */
  @Test
  void aVersionThatADeleteRestoresDoesNotComeBackAtThePeer() throws Exception {
    try (ReplicatedTable table = create("restored", MiniCluster.connection(), BY_Q, BY_Q, 1);
        Table here = table.here().table();
        Table there = table.there().table()) {
      here.put(List.of(at("ra", 1, "v1"), at("ra", 2, "v2")));
      table.awaitAll(1);
      there.delete(new Delete(row("ra")));
      peer.flush(table.there().name());
      peer.compact(table.there().name(), true);

      here.delete(new Delete(row("ra")).addColumn(FAMILY, QUALIFIER, 2));
      here.put(at("rb", 1, "v1"));

      Eventually.holdsElsewhere(
          () -> assertThat(table.there().base(1)).anyMatch(hit -> hit.startsWith("rb=")));
      assertThat(table.here().assertRight(1)).contains("ra=v1@1");
      assertThat(table.there().assertRight(1)).noneMatch(hit -> hit.startsWith("ra="));
    }
  }

  /** It has the definitions, and no index table to write to. */
  @Test
  void aCopyMadeByHBaseRefusesAllUntilItsIndexIsBuilt() throws Exception {
    TableName name = MiniCluster.uniqueTable("copied");
    ServedTable here =
        ServedTable.create(clients, name, BY_Q, VERSIONS, ReplicatedTable.splitsHere());
    ServedTable there = new ServedTable(peer.getConnection(), name, here.index());
    try (ReplicatedTable table = ReplicatedTable.begin(here, there, peer);
        Admin admin = MiniCluster.connection().getAdmin();
        DeliConnection operators = operators()) {
      admin.enableTableReplication(name);
      long refused = Counters.value("servedRequestsRefused");
      try (Table rows = here.table()) {
        rows.put(put("ra", "v1"));
      }
      // HBase tries again and again.
      Eventually.holdsElsewhere(
          () -> assertThat(Counters.value("servedRequestsRefused")).isGreaterThan(refused + 1));
      assertThat(there.base(1)).isEmpty();
      assertThatThrownBy(() -> there.found(1))
          .hasStackTraceContaining(there.index().table().getNameAsString());

      operators.getDeliAdmin().disable(name, BY_Q.name());

      SortedSet<String> all = table.awaitAll(1);
      assertThat(all).anyMatch(hit -> hit.startsWith("ra=v1@"));
      operators
          .getDeliAdmin()
          .build(name, BY_Q.name(), BuildOptions.DEFAULT, ProgressListener.NONE);
      assertThat(there.assertRight(1)).isEqualTo(all);
      assertThat(table.awaitAll(1)).isNotEqualTo(all);
      there.assertRight(1);
      assertVerified(there);
    }
  }

  /** Of the peer. Builds wait for the lease. */
  private static DeliConnection operators() throws IOException {
    Configuration configuration = new Configuration(peer.getConfiguration());
    configuration.setLong(DeliSettings.DEFINITIONS_LEASE.key(), 500);
    return MiniCluster.connect(configuration);
  }
}
