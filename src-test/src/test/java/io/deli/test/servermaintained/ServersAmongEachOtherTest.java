package io.deli.test.servermaintained;

import static io.deli.test.cluster.TestTable.put;
import static io.deli.test.servermaintained.ServedTable.BY_Q;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two region servers with two handlers each, whose tables have their indexes on the other one. */
class ServersAmongEachOtherTest {
  private static final int WRITERS = 3;
  private static final int WRITES = 40;
  private static final int MOST_SECONDS = 240;

  private static final HBaseTestingUtility CLUSTER = new HBaseTestingUtility();

  @BeforeAll
  static void start() throws Exception {
    Configuration configuration = CLUSTER.getConfiguration();
    configuration.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 2);
    // One write waits at a time, so that others try again: often, for pauses grow with the first.
    configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 500);
    configuration.setInt(HConstants.HBASE_CLIENT_PAUSE, 5);
    MiniCluster.share(configuration);
    CLUSTER.startMiniCluster(StartMiniClusterOption.builder().numRegionServers(2).build());
    CLUSTER.getAdmin().balancerSwitch(false, true);
  }

  @AfterAll
  static void stop() throws Exception {
    CLUSTER.shutdownMiniCluster();
  }

  @Test
  void doNotWaitForEachOtherForeverAndReplayWhatACrashLeft() throws Exception {
    ServedTable a = create("a");
    ServedTable b = create("b");
    cross(a, b);
    writeAll(List.of(a, b));
    SortedSet<String> ofA = a.assertRight(1);
    SortedSet<String> ofB = b.assertRight(1);
    assertThat(ofA).hasSize(WRITERS * WRITES);
    assertThat(ofB).hasSize(WRITERS * WRITES);
    // Nothing has been flushed.
    CLUSTER.getHBaseCluster().getRegionServer(serverOf(a.name())).abort("ended by the test");
    CLUSTER.waitUntilAllRegionsAssigned(a.name());
    CLUSTER.waitUntilAllRegionsAssigned(b.name());
    assertThat(a.assertRight(1)).isEqualTo(ofA);
    assertThat(b.assertRight(1)).isEqualTo(ofB);
  }

  private static ServedTable create(String name) throws IOException {
    return ServedTable.create(CLUSTER.getConnection(), TableName.valueOf(name), BY_Q, 1);
  }

  private static void cross(ServedTable a, ServedTable b) throws Exception {
    ServerName first = CLUSTER.getHBaseCluster().getRegionServer(0).getServerName();
    ServerName second = CLUSTER.getHBaseCluster().getRegionServer(1).getServerName();
    move(a.name(), first);
    move(b.index().table(), first);
    move(b.name(), second);
    move(a.index().table(), second);
    CLUSTER.waitUntilNoRegionsInTransition();
    assertThat(serverOf(a.name())).isEqualTo(first).isEqualTo(serverOf(b.index().table()));
    assertThat(serverOf(b.name())).isEqualTo(second).isEqualTo(serverOf(a.index().table()));
  }

  private static void move(TableName table, ServerName server) throws IOException {
    CLUSTER
        .getAdmin()
        .move(CLUSTER.getAdmin().getRegions(table).get(0).getEncodedNameAsBytes(), server);
  }

  private static ServerName serverOf(TableName table) throws IOException {
    return CLUSTER
        .getConnection()
        .getRegionLocator(table)
        .getRegionLocation(HConstants.EMPTY_START_ROW, true)
        .getServerName();
  }

  private static void writeAll(List<ServedTable> tables) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS * tables.size());
    try {
      List<Callable<Void>> writers = new ArrayList<>();
      for (ServedTable each : tables) {
        for (int i = 0; i < WRITERS; i++) {
          String stem = "r" + i;
          writers.add(() -> write(each, stem));
        }
      }
      for (Future<Void> done : pool.invokeAll(writers, MOST_SECONDS, TimeUnit.SECONDS)) {
        done.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private static Void write(ServedTable served, String stem) throws IOException {
    try (Table table = served.table()) {
      for (int n = 0; n < WRITES / 2; n++) {
        table.put(put(stem + "s" + n, "v" + n));
      }
      List<Put> batch = new ArrayList<>();
      for (int n = 0; n < WRITES / 2; n++) {
        batch.add(put(stem + "b" + n, "v" + n));
      }
      table.put(batch);
    }
    return null;
  }
}
