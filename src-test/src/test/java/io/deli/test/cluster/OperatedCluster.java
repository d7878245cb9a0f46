package io.deli.test.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.lab.cluster.Daemon;
import io.deli.lab.cluster.ProcessCluster;
import io.deli.lab.cluster.Role;
import io.deli.lab.cluster.ShiftedClock;
import io.deli.lab.fault.ProcessFaults;
import io.deli.test.tools.DeliProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;

/**
 * A cluster of processes as {@code bin/lab cluster start} makes it: the servers have nothing of
 * DELI's on their class path but load the coprocessor from HDFS, table by table. Tests keep apart
 * by table names and leave all processes running.
 */
public final class OperatedCluster implements AutoCloseable {
  private static final Duration OPERATION_TIMEOUT = Duration.ofMinutes(2);

  /** Between region servers: less than a region takes to move, which HBase alone would not bear. */
  private static final long SKEW_MILLIS = 200;

  private final Path directory;
  private final ProcessCluster cluster;
  private final Connection connection;
  private final DeliConnection indexed;
  private final AtomicInteger tables = new AtomicInteger();
  private final Thread reaper = new Thread(this::killAll, "process-cluster-reaper");

  OperatedCluster() throws IOException, InterruptedException {
    this(Map.of());
  }

  /**
   * @param settings beyond those of all
   */
  OperatedCluster(Map<String, String> settings) throws IOException, InterruptedException {
    directory = Files.createTempDirectory("deli-processes");
    cluster = new ProcessCluster(directory.resolve("cluster"));
    Runtime.getRuntime().addShutdownHook(reaper);
    start(settings);
    connection = ConnectionFactory.createConnection(configuration());
    indexed = DeliConnection.wrap(connection);
    // Tests decide where regions are.
    try (Admin admin = connection.getAdmin()) {
      admin.balancerSwitch(false, true);
    }
  }

  private void start(Map<String, String> further) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("cluster", "start"));
    command.addAll(List.of("--data", cluster.directory().toString()));
    command.addAll(List.of("--jar", serverJar().toString()));
    Map<String, String> settings = new TreeMap<>(ProcessFaults.settings(OPERATION_TIMEOUT));
    settings.put(ShiftedClock.SKEW, Long.toString(SKEW_MILLIS));
    settings.putAll(further);
    settings.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
    try (DeliProcess start = DeliProcess.lab(directory, command)) {
      assertThat(start.awaitEnd()).as(start.transcript()).isZero();
    }
  }

  /** The jar with all that region servers load. */
  public static Path serverJar() throws IOException {
    Path target = Path.of(System.getProperty("deli.root"), "deli-fileindex", "target");
    try (var files = Files.list(target)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith("-server.jar"))
          .findFirst()
          .orElseThrow(
              () -> new AssertionError("no server jar: run 'mvn verify', which builds it"));
    }
  }

  /** Where it lives, for {@code --data}. */
  public Path directory() {
    return cluster.directory();
  }

  /** Its client configuration, for {@code --conf}. */
  public Path conf() {
    return cluster.conf();
  }

  /** A client's configuration, to change at will. */
  public Configuration configuration() {
    return cluster.configuration();
  }

  /** A plain HBase connection, shared; do not close it. */
  public Connection connection() {
    return connection;
  }

  /** A connection that knows of indexes, shared; do not close it. */
  public DeliConnection indexed() {
    return indexed;
  }

  /** A table name that no other test uses. */
  public TableName uniqueTable(String stem) {
    return TableName.valueOf(stem + "_" + tables.incrementAndGet());
  }

  /** Its processes as one. */
  public ProcessCluster processes() {
    return cluster;
  }

  public List<Daemon> daemons() {
    return cluster.daemons();
  }

  public List<Daemon> daemons(Role role) {
    return cluster.daemons(role);
  }

  public void awaitService() throws Exception {
    Eventually.holdsElsewhere(() -> assertThat(cluster.serves()).isTrue());
  }

  /** The region server that has a table's first region. */
  public Daemon serverOf(TableName table) throws IOException {
    return daemon(location(table).getServerName());
  }

  private HRegionLocation location(TableName table) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      return locator.getRegionLocation(new byte[0], true);
    }
  }

  private Daemon daemon(ServerName server) {
    return cluster.daemons(Role.REGION_SERVER).stream()
        .filter(daemon -> daemon.node().port() == server.getPort())
        .findFirst()
        .orElseThrow();
  }

  /** Moves a table's first region to another region server and waits until it is there. */
  public Daemon move(TableName table) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      RegionInfo region = location(table).getRegion();
      ServerName from = location(table).getServerName();
      Eventually.holdsElsewhere(
          () -> {
            if (location(table).getServerName().equals(from)) {
              // One that was killed is listed for a while, and what moves there comes back.
              admin.move(region.getEncodedNameAsBytes(), anotherThan(from, admin));
            }
            assertThat(location(table).getServerName()).isNotEqualTo(from);
          });
      return serverOf(table);
    }
  }

  private static ServerName anotherThan(ServerName server, Admin admin) throws IOException {
    return admin.getRegionServers(true).stream()
        .filter(each -> !each.equals(server))
        .findFirst()
        .orElseThrow();
  }

  /** Makes sure that a table's first region is on a certain one of the two region servers. */
  public void bring(TableName table, Daemon server) throws Exception {
    if (!serverOf(table).node().equals(server.node())) {
      move(table);
    }
    assertThat(serverOf(table).node()).isEqualTo(server.node());
  }

  /** Makes sure that two tables' first regions are on different servers. */
  public void separate(TableName one, TableName other) throws Exception {
    if (serverOf(one).node().equals(serverOf(other).node())) {
      move(other);
    }
    assertThat(serverOf(one).node()).isNotEqualTo(serverOf(other).node());
  }

  /** Stops in order, which is a test of it, and leaves nothing behind. */
  @Override
  public void close() throws IOException {
    List<String> steps = new ArrayList<>();
    try {
      indexed.close();
      cluster.stop(steps::add);
      assertThat(daemons()).noneMatch(Daemon::isRunning);
      assertThat(steps).noneMatch(step -> step.contains("kill") || step.contains("obey"));
    } finally {
      killAll();
      Runtime.getRuntime().removeShutdownHook(reaper);
      keepLogs();
      FileUtil.fullyDelete(directory.toFile());
    }
  }

  /** What the processes said of a failure is to be found when they are gone. */
  private void keepLogs() throws IOException {
    Path kept =
        Path.of(System.getProperty("deli.root"), "src-test", "target", "process-logs")
            .resolve(directory.getFileName());
    Files.createDirectories(kept);
    try (var logs = Files.list(cluster.directory().resolve("logs"))) {
      for (Path log : logs.toList()) {
        Files.copy(log, kept.resolve(log.getFileName()));
      }
    }
  }

  private void killAll() {
    cluster.kill();
  }
}
