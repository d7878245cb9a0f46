package io.deli.test.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.lab.cluster.Daemon;
import io.deli.lab.cluster.Role;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What happens to collection when servers are gone, stand still or stop. */
@ExtendWith(ProcessClusterExtension.class)
class ProcessFaultsTest {
  private final OperatedCluster cluster;

  ProcessFaultsTest(OperatedCluster cluster) {
    this.cluster = cluster;
  }

  /** Else these tests would not show that the jar on HDFS is what works. */
  @Test
  void theServersKnowDeliFromTheTablesJarOnly() throws Exception {
    TableName table = cluster.uniqueTable("no_jar");
    Configuration configuration = cluster.configuration();
    configuration.set("deli.coprocessor.jar", "");
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        DeliConnection indexed = DeliConnection.wrap(connection);
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());
      assertThatThrownBy(
              () ->
                  DeliAdmin.of(indexed)
                      .createIndex(table, IndexDefinition.on("i", Column.parse("f:q"))))
          .hasMessageContaining("cannot load")
          .hasMessageContaining("DeliRegionObserver");
    }
  }

  /** With the master dead as well nobody else gets the index's regions. */
  @Test
  void aCompactionWithoutItsIndexDropsNothing() throws Exception {
    IndexedRows rows = IndexedRows.create(cluster, "collected", 1);
    cluster.bring(rows.name(), cluster.serverOf(TableName.META_TABLE_NAME));
    cluster.separate(rows.name(), rows.index().table());
    Daemon server = cluster.serverOf(rows.index().table());
    Daemon master = cluster.daemons(Role.MASTER).get(0);
    overwrite(rows);
    master.kill();
    server.kill();
    rows.compactBase();
    assertThat(rows.current()).hasSize(500).allMatch(row -> row.contains("=v3-"));
    master.start();
    server.start();
    cluster.awaitService();
    assertThat(rows.entries()).hasSize(2_000);
    assertThat(rows.find("v3-7")).hasSize(10);
    assertThat(rows.find("v2-7")).isEmpty();

    assertCollects(rows);
    assertThat(rows.entries()).hasSize(500);
  }

  /** It waits for the index a limited time only, and then leaves the garbage to others. */
  @Test
  void aServerStopsThoughItsCollectionWaitsForTheIndex() throws Exception {
    IndexedRows rows = IndexedRows.create(cluster, "stopped", 1);
    cluster.separate(rows.name(), rows.index().table());
    overwrite(rows);
    Daemon index = cluster.serverOf(rows.index().table());
    Daemon base = cluster.serverOf(rows.name());
    assertThat(index.pause()).isTrue();
    try {
      rows.requestCompaction();
      base.terminate();
      Eventually.holds(() -> assertThat(base.isRunning()).isFalse());
      base.start();
      // The master gives the index to the other server; the one that stands still is to end itself.
      Eventually.holdsElsewhere(
          () ->
              assertThat(cluster.serverOf(rows.index().table()).node()).isNotEqualTo(index.node()));
    } finally {
      index.resume();
    }
    Eventually.holdsElsewhere(() -> assertThat(index.isRunning()).isFalse());
    index.start();
    cluster.awaitService();
    assertThat(rows.current()).hasSize(500).allMatch(row -> row.contains("=v3-"));
    assertCollects(rows);
  }

  /** Servers that have just been started may be too slow for the time-out of a collection. */
  private static void assertCollects(IndexedRows rows) throws Exception {
    Eventually.holdsElsewhere(
        () -> {
          rows.collect();
          rows.assertExact();
        });
  }

  /** Three dead versions of each of 500 rows, in a file. */
  private void overwrite(IndexedRows rows) throws Exception {
    try (Table table = cluster.indexed().getTable(rows.name());
        Admin admin = cluster.connection().getAdmin()) {
      for (int round = 0; round < 4; round++) {
        List<Put> puts = new ArrayList<>();
        for (int row = 0; row < 500; row++) {
          puts.add(TestTable.put("r" + row, "v" + round + "-" + row % 50));
        }
        table.put(puts);
      }
      admin.flush(rows.name());
    }
  }
}
