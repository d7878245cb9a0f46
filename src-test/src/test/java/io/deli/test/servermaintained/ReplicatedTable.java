package io.deli.test.servermaintained;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The same table on two clusters, the second of which is a peer of the first for as long as this is
 * open.
 *
 * @param here on the shared cluster
 * @param there on the peer
 */
record ReplicatedTable(ServedTable here, ServedTable there) implements AutoCloseable {
  /** Rows that nobody else writes, one in each region there. */
  private static final List<String> LAST_ROWS = List.of("r", "rcz", "rfz", "rjz");

  private static final AtomicInteger WRITTEN = new AtomicInteger();

  /** Where regions begin: those here are made of whole regions there. */
  static byte[][] splitsHere() {
    return new byte[][] {Bytes.toBytes("rf")};
  }

  static byte[][] splitsThere() {
    return new byte[][] {Bytes.toBytes("rc"), Bytes.toBytes("rf"), Bytes.toBytes("rj")};
  }

  /** Begins with what is written from now on, once families have the scope. */
  static ReplicatedTable begin(ServedTable here, ServedTable there, HBaseTestingUtility peer)
      throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.addReplicationPeer(
          here.name().getNameAsString(),
          ReplicationPeerConfig.newBuilder()
              .setClusterKey(peer.getClusterKey())
              .setReplicateAllUserTables(false)
              .setTableCFsMap(Map.of(here.name(), List.of(Bytes.toString(FAMILY))))
              .build());
    }
    return new ReplicatedTable(here, there);
  }

  /** As {@code alter 't', {NAME => 'f', REPLICATION_SCOPE => 1}} does. */
  static void giveScope(TableName table) throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      ColumnFamilyDescriptor family = admin.getDescriptor(table).getColumnFamily(FAMILY);
      admin.modifyColumnFamily(
          table,
          ColumnFamilyDescriptorBuilder.newBuilder(family)
              .setScope(HConstants.REPLICATION_SCOPE_GLOBAL)
              .build());
    }
  }

  /**
   * Waits until all has been applied that was written here. What a region logged arrives in its
   * order, so that a last row in each region tells.
   *
   * @return what both tables show then
   */
  SortedSet<String> awaitAll(int versions) throws Exception {
    String last = "last" + WRITTEN.incrementAndGet();
    try (Table table = here.table()) {
      for (String row : LAST_ROWS) {
        table.put(put(row, last));
      }
    }
    SortedSet<String> written = here.base(versions);
    Eventually.holdsElsewhere(() -> assertThat(there.base(versions)).isEqualTo(written));
    return written;
  }

  @Override
  public void close() throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.removeReplicationPeer(here.name().getNameAsString());
    }
  }
}
