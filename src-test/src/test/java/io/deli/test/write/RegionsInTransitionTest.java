package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Index regions that move, split or are nowhere while clients write. */
class RegionsInTransitionTest {
  private static Put put(String row, int value) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes("v" + value));
  }

  @Test
  void whatWasAcknowledgedIsIndexedThroughMovesAndSplits() throws Exception {
    TestTable written = TestTable.create("moving", 1);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger acknowledged = new AtomicInteger();
    ExecutorService writers = Executors.newFixedThreadPool(4);
    try (Connection connection = MiniCluster.connectConfigured();
        Admin admin = MiniCluster.connection().getAdmin()) {
      List<Future<?>> done = new ArrayList<>();
      for (int writer = 0; writer < 4; writer++) {
        String name = "w" + writer;
        done.add(writers.submit(() -> write(connection, written.name(), name, stop, acknowledged)));
      }
      TableName index = written.index().table();
      // Each once: HBase's server forgets that a region came back only after two minutes, and
      // till then misleads clients when that region splits.
      for (TableName moved : List.of(index, written.name())) {
        awaitProgress(acknowledged);
        move(admin, moved);
      }
      awaitProgress(acknowledged);
      admin.split(index, Bytes.add(new byte[] {1}, Bytes.toBytes("v5")));
      Eventually.holds(() -> assertThat(admin.getRegions(index)).hasSizeGreaterThan(1));
      awaitProgress(acknowledged);
      stop.set(true);
      for (Future<?> writer : done) {
        writer.get(60, TimeUnit.SECONDS);
      }
    } finally {
      stop.set(true);
      writers.shutdownNow();
    }
    assertThat(written.justified()).hasSizeGreaterThanOrEqualTo(4);
    written.assertIndexed();
  }

  private static Void write(
      Connection connection, TableName name, String row, AtomicBoolean stop, AtomicInteger count)
      throws IOException {
    try (Table table = connection.getTable(name)) {
      for (int i = 0; !stop.get(); i++) {
        if (i % 5 == 0) {
          table.put(List.of(put(row, i % 10), put(row + "-" + i, i % 10)));
        } else {
          table.put(put(row, i % 10));
        }
        count.incrementAndGet();
      }
    }
    return null;
  }

  private static void awaitProgress(AtomicInteger acknowledged) throws Exception {
    int before = acknowledged.get();
    Eventually.holds(() -> assertThat(acknowledged.get()).isGreaterThan(before + 20));
  }

  private static void move(Admin admin, TableName table) throws Exception {
    RegionInfo region = admin.getRegions(table).get(0);
    ServerName from = MiniCluster.utility().getRSForFirstRegionInTable(table).getServerName();
    ServerName to =
        admin.getRegionServers().stream().filter(s -> !s.equals(from)).findFirst().orElseThrow();
    admin.move(region.getEncodedNameAsBytes(), to);
    Eventually.holds(
        () ->
            assertThat(MiniCluster.utility().getRSForFirstRegionInTable(table).getServerName())
                .isEqualTo(to));
  }

  @Test
  void anIndexThatIsNowhereMakesWritesWaitAndThenFailCleanly() throws Exception {
    TestTable written = TestTable.create("nowhere", 1);
    TableName index = written.index().table();
    try (Connection connection = MiniCluster.connectConfigured();
        Admin admin = MiniCluster.connection().getAdmin()) {
      Table patient = connection.getTable(written.name());
      patient.put(put("before", 0));
      byte[] region = admin.getRegions(index).get(0).getEncodedNameAsBytes();
      admin.unassign(region);
      try (Table hasty =
          connection.getTableBuilder(written.name(), null).setOperationTimeout(1_500).build()) {
        assertThatThrownBy(() -> hasty.put(put("failed", 1))).isInstanceOf(IOException.class);
      }
      CompletableFuture<Void> waiting =
          CompletableFuture.runAsync(
              () -> {
                try {
                  patient.put(put("waited", 2));
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      assertThat(written.justifiedByDead()).hasSize(1);
      admin.assign(region);
      waiting.get(60, TimeUnit.SECONDS);
    }
    assertThat(written.justifiedByDead()).hasSize(2);
    assertThat(written.entries()).containsAll(written.justifiedByDead());
  }
}
