package io.deli.test.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.cluster.Daemon;
import io.deli.lab.cluster.NodeNetwork;
import io.deli.lab.cluster.Role;
import io.deli.lab.fault.DiskFaults;
import io.deli.lab.fault.Fault;
import io.deli.lab.fault.FaultProfile;
import io.deli.lab.fault.FaultTarget;
import io.deli.lab.fault.NetworkFaults;
import io.deli.lab.fault.NetworkFaults.Direction;
import io.deli.lab.fault.NetworkFaults.Peer;
import io.deli.lab.fault.ProcessFaults;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Threads;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Faults of network, disk and clocks bite and heal, on a cluster of processes of their own. Each
 * checks itself whether packets are lost, or files refused; here it is seen what comes of it.
 */
@ExtendWith(NetworkAndDiskFaultsTest.Condition.class)
class NetworkAndDiskFaultsTest {
  /** As the kernel shows a connection whose opening has arrived and was not completed. */
  private static final String SYN_RECEIVED = " 03 ";

  private static OperatedCluster cluster;
  private static ProcessFaults processes;
  private static IndexedRows rows;

  /** Tests run where the machine can have such faults; elsewhere they are skipped, and say so. */
  static final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      if (context.getTestMethod().isPresent()) {
        return ConditionEvaluationResult.enabled("asked for the class");
      }
      for (FaultProfile profile : List.of(FaultProfile.NETWORK, FaultProfile.DISK)) {
        Optional<String> lack = profile.lack();
        if (lack.isPresent()) {
          return Skipping.because("no faults of " + profile.title() + ": " + lack.get(), context);
        }
      }
      return ConditionEvaluationResult.enabled("the machine can have faults of network and disk");
    }
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = new OperatedCluster(FaultProfile.ALL.settings());
    processes = new ProcessFaults(cluster.processes());
    rows = IndexedRows.create(cluster, "faulty", 1);
    put("r", "before");
  }

  @AfterAll
  static void stop() throws IOException {
    if (processes != null) {
      processes.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void put(String row, String value) throws IOException {
    try (Table table = cluster.indexed().getTable(rows.name())) {
      table.put(TestTable.put(row, value));
    }
  }

  @Test
  void aPartitionFromZooKeeperEndsTheSessionWhicheverWayPacketsAreLost() throws Exception {
    Daemon server = cluster.daemons(Role.REGION_SERVER).get(1);
    for (Direction direction : Direction.values()) {
      ServerName name = live(server).orElseThrow();
      new NetworkFaults(processes)
          .partition(
              server,
              Peer.ZOOKEEPER,
              direction,
              () -> holds(() -> assertThat(live(server)).isNotEqualTo(Optional.of(name))));
      holds(() -> assertThat(live(server)).isPresent().isNotEqualTo(Optional.of(name)));
      cluster.awaitService();
    }
  }

  @Test
  void oneWayIsOneWay() {
    Daemon server = cluster.daemons(Role.REGION_SERVER).get(0);
    Daemon master = cluster.daemons(Role.MASTER).get(0);
    NodeNetwork network = cluster.processes().network().orElseThrow();
    for (Direction direction : Direction.values()) {
      new NetworkFaults(processes)
          .partition(
              server,
              Peer.MASTER,
              direction,
              () -> {
                int port = server.node().port();
                String address = server.node().host();
                Set<String> before = halfOpen(server);
                assertThat(NodeNetwork.flows(network.host(master.node()), address, port)).isFalse();
                // What the master sends arrives, if only what the server sends is lost.
                Set<String> arrived = halfOpen(server);
                arrived.removeAll(before);
                assertThat(arrived).hasSize(direction == Direction.OUTGOING ? 1 : 0);
              });
    }
  }

  /** By whom connections have been begun whose openings were not answered, or not for them. */
  private static Set<String> halfOpen(Daemon server) {
    Path connections =
        Path.of("/proc", Long.toString(server.process().orElseThrow().pid()), "net", "tcp");
    String local = ":%04X ".formatted(server.node().port());
    try {
      return Files.readAllLines(connections).stream()
          .filter(line -> line.contains(local) && line.contains(SYN_RECEIVED))
          .map(line -> line.substring(line.indexOf(local), line.indexOf(SYN_RECEIVED)))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aServerThatIsCutOffFromClientsAnswersAgainWhenHealed() throws Exception {
    Daemon server = cluster.serverOf(rows.name());
    CompletableFuture<?>[] read = new CompletableFuture<?>[1];
    new NetworkFaults(processes)
        .partition(
            server,
            Peer.CLIENTS,
            Direction.OUTGOING,
            () -> {
              read[0] = CompletableFuture.runAsync(NetworkAndDiskFaultsTest::get);
              Threads.sleepWithoutInterrupt(1_500);
              assertThat(read[0]).isNotDone();
            });
    read[0].join();
  }

  private static void get() {
    try (Table table = cluster.indexed().getTable(rows.name())) {
      assertThat(table.get(new Get(Bytes.toBytes("r"))).isEmpty()).isFalse();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HDFS", "REGION_SERVERS"})
  void aPartitionFromOtherServersHeals(Peer peer) throws Exception {
    Daemon server = cluster.serverOf(rows.name());
    new NetworkFaults(processes)
        .partition(server, peer, Direction.BOTH, () -> Threads.sleepWithoutInterrupt(2_000));
    cluster.awaitService();
    put("r", "after " + peer);
  }

  @Test
  void aFullDataNodeRefusesAFlush() throws Exception {
    put("r", "kept");
    CompletableFuture<?>[] flush = new CompletableFuture<?>[1];
    new DiskFaults(processes)
        .fillDataNode(
            () -> {
              flush[0] = CompletableFuture.runAsync(NetworkAndDiskFaultsTest::flush);
              Threads.sleepWithoutInterrupt(4_000);
              assertThat(flush[0].isDone() && !flush[0].isCompletedExceptionally()).isFalse();
            });
    // The master may have ended itself, which could not write either.
    cluster.awaitService();
    flush();
    try (Table table = cluster.indexed().getTable(rows.name())) {
      assertThat(table.get(new Get(Bytes.toBytes("r"))).value()).isEqualTo(Bytes.toBytes("kept"));
    }
  }

  private static void flush() {
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.flush(rows.name());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** It cannot copy the coprocessor, and ends itself. */
  @Test
  void aServerThatStartsWithoutTemporarySpaceServesLater() throws Exception {
    Daemon server = cluster.serverOf(rows.name());
    long before = aborts(server);
    new DiskFaults(processes)
        .fillTemporary(server, () -> holds(() -> assertThat(aborts(server)).isGreaterThan(before)));
    put("r", "later");
  }

  private static long aborts(Daemon server) throws IOException {
    try (var lines = Files.lines(server.log(), StandardCharsets.ISO_8859_1)) {
      return lines.filter(line -> line.contains("ABORTING region server")).count();
    }
  }

  @Test
  void aSlowDataNodeIsSlow() throws Exception {
    long longest = 0;
    CompletableFuture<Void> slow =
        CompletableFuture.runAsync(() -> run(new DiskFaults(processes).all(), "slow data node"));
    while (!slow.isDone()) {
      long begun = System.nanoTime();
      assertThat(cluster.processes().hdfs().lack()).isEmpty();
      longest = Math.max(longest, System.nanoTime() - begun);
    }
    slow.join();
    assertThat(longest).isGreaterThan(300_000_000L);
  }

  private static void run(List<Fault> faults, String name) {
    Fault fault =
        faults.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    try {
      fault.course().run(new Random(1));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void clocksAreSetWhileServersRun() throws Exception {
    Daemon server = cluster.serverOf(rows.name());
    for (long ahead : new long[] {100, -100}) {
      assertThat(cluster.processes().shiftClock(server.node(), ahead)).isTrue();
      try (Table table = cluster.connection().getTable(rows.name())) {
        byte[] family = Bytes.toBytes("f");
        byte[] row = Bytes.toBytes("clock" + ahead);
        long before = System.currentTimeMillis();
        table.put(new Put(row).addColumn(family, Bytes.toBytes("unindexed"), row));
        long after = System.currentTimeMillis();
        assertThat(table.get(new Get(row)).rawCells()[0].getTimestamp())
            .isBetween(before + ahead, after + ahead);
      }
    }
  }

  @Test
  void eachFaultHasANameOfItsOwn() {
    FaultTarget target =
        new FaultTarget(
            cluster.connection(),
            rows.name(),
            List.of(),
            Optional.of(processes),
            List::of,
            Optional.empty());
    assertThat(FaultProfile.ALL.faults(target)).extracting(Fault::name).doesNotHaveDuplicates();
    assertThat(FaultProfile.ALL.skipped(target))
        .containsExactlyInAnyOrder(
            "no faults of definitions: no index may be redefined",
            "no upgrade among operations: there is no other jar");
  }

  private static Optional<ServerName> live(Daemon server) throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      return admin.getRegionServers().stream()
          .filter(each -> each.getPort() == server.node().port())
          .findFirst();
    }
  }

  private static void holds(Eventually.Assertion assertion) {
    try {
      Eventually.holdsElsewhere(assertion);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
