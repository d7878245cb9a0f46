package io.deli.test.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.tools.Cli.Outcome;
import io.deli.tools.ExitCode;
import io.deli.tools.embedded.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.replication.ReplicationPeerDescription;
import org.apache.hadoop.hbase.replication.VerifyWALEntriesReplicationEndpoint;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.hadoop.hbase.zookeeper.ZNodePaths;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded HBase in processes that come and go on one data directory. */
class StandaloneTest {
  /** Exit code of a JVM that a SIGTERM ended. */
  private static final int TERMINATED = 143;

  private static final String PEER = "backup";

  private static final String ROWS =
      """
      id,country,altitude
      1,Bolivia,11942
      2,Bolivia,12159
      3,Peru,11152
      4,Peru,505
      """;

  @TempDir private Path directory;
  private Path data;
  private Cli deli;

  @BeforeEach
  void choose() {
    data = directory.resolve("my data");
    deli = new Cli("--data", data.toString());
  }

  @Test
  void answersTheSameAfterAStopAndAfterAKill() throws Exception {
    String peru;
    String high;
    try (DeliProcess first = start()) {
      create();
      peru = ask("by_country", "--equal", "Peru");
      high = ask("by_altitude", "--from", "11152", "--reverse");
      assertThat(peru.lines()).hasSize(3);
      assertThat(high.lines()).hasSize(4);
      first.terminate();
      assertThat(first.awaitEnd()).as(first.transcript()).isEqualTo(TERMINATED);
      assertThat(first.transcript()).doesNotContain("ThreadGroup");
    }
    try (DeliProcess second = start()) {
      assertThat(ask("by_country", "--equal", "Peru")).isEqualTo(peru);
      assertThat(ask("by_altitude", "--from", "11152", "--reverse")).isEqualTo(high);
      update("1", "Atlantis");
      collect(4);
      update("2", "Atlantis");
      addPeer();
      second.kill();
    }
    try (DeliProcess third = start()) {
      assertThat(ask("by_country", "--equal", "Peru")).isEqualTo(peru);
      assertThat(rows(ask("by_country", "--equal", "Atlantis"))).containsExactly("1", "2");
      assertThat(rows(ask("by_country", "--equal", "Bolivia"))).isEmpty();
      assertThat(stale()).isEqualTo("1");
      collect(4);
      assertThat(peers()).containsExactly(PEER);
      assertThat(third.printed()).contains("HBase is up");
    }
  }

  @Test
  void endsWithAnErrorWhenItsRegionServerAborts() throws Exception {
    try (DeliProcess standalone = start()) {
      expireRegionServer();
      assertThat(standalone.awaitEnd()).as(standalone.transcript()).isEqualTo(ExitCode.FAILED);
      assertThat(standalone.transcript()).contains("region server", "aborted", "hbase.log");
    }
    try (DeliProcess again = start()) {
      assertThat(again.printed()).contains("HBase is up");
    }
  }

  /** Its note is written when it has started, and withdrawn before it stops. */
  @Test
  void startsAgainAfterAKillWithoutANote() throws Exception {
    try (DeliProcess first = start()) {
      Files.delete(data.resolve("running.properties"));
      first.kill();
    }
    try (DeliProcess second = start()) {
      assertThat(second.printed()).contains("HBase is up");
    }
  }

  /** As if it had paused for longer than its session; it aborts at its next report. */
  private void expireRegionServer() throws Exception {
    try (ZKWatcher zooKeeper = new ZKWatcher(configuration(), "test", null)) {
      String servers = zooKeeper.getZNodePaths().rsZNode;
      for (String server : ZKUtil.listChildrenNoWatch(zooKeeper, servers)) {
        ZKUtil.deleteNode(zooKeeper, ZNodePaths.joinZNode(servers, server));
      }
    }
  }

  /** One that copies nothing; only ZooKeeper knows of it. */
  private void addPeer() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(configuration());
        Admin admin = connection.getAdmin()) {
      String endpoint = VerifyWALEntriesReplicationEndpoint.class.getName();
      admin.addReplicationPeer(
          PEER,
          ReplicationPeerConfig.newBuilder().setReplicationEndpointImpl(endpoint).build(),
          false);
    }
  }

  private List<String> peers() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(configuration());
        Admin admin = connection.getAdmin()) {
      return admin.listReplicationPeers().stream()
          .map(ReplicationPeerDescription::getPeerId)
          .toList();
    }
  }

  /** Of a client of the HBase that runs. */
  private Configuration configuration() {
    String address = new DataDirectory(data).running().orElseThrow().zookeeper();
    Configuration conf = HBaseConfiguration.create();
    conf.set(HConstants.ZOOKEEPER_CLIENT_PORT, address.substring(address.indexOf(':') + 1));
    return conf;
  }

  private DeliProcess start() throws IOException {
    List<String> command = new ArrayList<>(List.of("standalone", "--data", data.toString()));
    for (String port : List.of("zookeeper", "ui", "master", "server", "server-ui", "dashboard")) {
      command.addAll(List.of("--" + port + "-port", "0"));
    }
    return DeliProcess.start(directory, command).awaitLine("Ctrl-C stops it");
  }

  private void create() {
    succeed(deli.run("create-table", "t", "d"));
    succeed(deli.run("create-index", "t", "by_country", "d:country"));
    succeed(deli.run("create-index", "t", "by_altitude", "d:altitude", "--type", "LONG"));
    succeed(deli.runWith(ROWS, "load", "t", "--key", "id"));
  }

  private void update(String row, String country) {
    succeed(deli.run("put", "t", row, "country=" + country));
  }

  /** Collects and checks that just as many entries as live versions are left. */
  private void collect(int live) {
    String collected = succeed(deli.run("collect", "t", "--format", "csv"));
    assertThat(collected).contains("by_country,%d,%d,1,".formatted(live + 1, live));
    assertThat(collected).contains("by_altitude,%d,%d,0,".formatted(live, live));
    assertThat(stale()).isEqualTo("0");
  }

  private String stale() {
    String stats = succeed(deli.run("stats", "t", "by_country", "--format", "csv"));
    return stats.lines().skip(1).findFirst().orElseThrow().split(",", -1)[3];
  }

  private String ask(String index, String... condition) {
    List<String> line = new ArrayList<>(List.of("query", "t", index, "--format", "csv"));
    line.addAll(List.of(condition));
    return succeed(deli.run(line.toArray(String[]::new)));
  }

  private static List<String> rows(String hits) {
    return hits.lines().skip(1).map(hit -> hit.substring(0, hit.indexOf(','))).toList();
  }

  private static String succeed(Outcome outcome) {
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return outcome.out();
  }
}
