package io.deli.lab.cluster;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** One start of a cluster, each part when what it stands on serves, or one stop. */
record Lifecycle(
    List<Daemon> daemons,
    Supplier<Configuration> conf,
    Consumer<String> told,
    List<Daemon> started) {
  /** A start takes a quarter of a minute, and more than one on a machine with much else to do. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private static final Duration FLUSHING = Duration.ofMinutes(2);
  private static final Duration ENDING = Duration.ofSeconds(15);

  private static final int PATIENCE_MILLIS = 5_000;

  /** By which the operating system may tell the start of a process later than it was. */
  private static final long CLOCK_MILLIS = 1_000;

  Lifecycle(List<Daemon> daemons, Supplier<Configuration> conf, Consumer<String> told) {
    this(daemons, conf, told, new ArrayList<>());
  }

  void start(Optional<Path> jar) throws IOException {
    try {
      boolean jarInUse = runs(Role.REGION_SERVER);
      start(Role.ZOOKEEPER);
      format();
      start(Role.NAMENODE);
      start(Role.DATANODE);
      Hdfs hdfs = new Hdfs(conf.get());
      await("HDFS", () -> silent(Role.NAMENODE).or(hdfs::lack));
      if (jarInUse) {
        told.accept("leaving the coprocessor's jar on HDFS as it is, for region servers run");
      } else if (jar.isPresent()) {
        hdfs.put(jar.get());
      }
      start(Role.MASTER);
      start(Role.REGION_SERVER);
      List<Daemon> servers = of(Role.REGION_SERVER);
      await("HBase", () -> silent(Role.MASTER).or(() -> lack(conf.get(), servers)));
    } catch (IOException | RuntimeException e) {
      for (int i = started.size() - 1; i >= 0; i--) {
        started.get(i).kill();
      }
      throw e;
    }
  }

  private List<Daemon> of(Role role) {
    return daemons.stream().filter(daemon -> daemon.node().role() == role).toList();
  }

  private boolean runs(Role role) {
    return of(role).stream().anyMatch(Daemon::isRunning);
  }

  private Optional<String> silent(Role role) {
    return of(role).stream()
        .filter(daemon -> !daemon.answers())
        .findFirst()
        .map(daemon -> daemon.node().name() + " does not answer");
  }

  private void start(Role role) {
    for (Daemon daemon : of(role)) {
      if (!daemon.isRunning()) {
        told.accept("starting %s, port %d".formatted(daemon.node().name(), daemon.node().port()));
        daemon.start();
        started.add(daemon);
      }
    }
  }

  private void format() throws IOException {
    Daemon nameNode = of(Role.NAMENODE).get(0);
    if (Files.isDirectory(nameNode.data().resolve("current"))) {
      return;
    }
    told.accept("formatting HDFS");
    if (nameNode.runOnce("-format", "-force", "-nonInteractive") != 0) {
      throw new Failure(ExitCode.UNAVAILABLE, "cannot format HDFS: see " + nameNode.log());
    }
  }

  private void await(String what, Supplier<Optional<String>> lack) {
    told.accept("waiting for " + what);
    AtomicReference<String> lacking = new AtomicReference<>();
    boolean up =
        Await.until(
            LIMIT,
            () -> {
              started.forEach(Lifecycle::requireRunning);
              Optional<String> now = lack.get();
              now.ifPresent(lacking::set);
              return now.isEmpty();
            });
    if (!up) {
      throw new Failure(
          ExitCode.UNAVAILABLE,
          "%s does not serve after %d minutes, %s: see the logs in %s"
              .formatted(what, LIMIT.toMinutes(), lacking.get(), daemons.get(0).log().getParent()));
    }
  }

  private static void requireRunning(Daemon daemon) {
    if (!daemon.isRunning()) {
      throw new Failure(
          ExitCode.UNAVAILABLE,
          "%s ended while the cluster started: see %s"
              .formatted(daemon.node().name(), daemon.log()));
    }
  }

  void stop() {
    daemons.stream().filter(Daemon::isRunning).forEach(Daemon::resume);
    if (runs(Role.MASTER) && runs(Role.REGION_SERVER)) {
      told.accept("stopping HBase, which flushes its tables");
      try {
        shutDown(conf.get());
        Await.until(FLUSHING, () -> !runs(Role.MASTER) && !runs(Role.REGION_SERVER));
      } catch (IOException e) {
        told.accept("the master does not obey (" + e.getMessage() + "): ending each process");
      }
    }
    for (int i = daemons.size() - 1; i >= 0; i--) {
      end(daemons.get(i));
    }
  }

  private void end(Daemon daemon) {
    if (!daemon.isRunning()) {
      return;
    }
    told.accept("stopping " + daemon.node().name());
    daemon.terminate();
    if (!Await.until(ENDING, () -> !daemon.isRunning())) {
      told.accept(
          "killing %s, which did not end within %d s"
              .formatted(daemon.node().name(), ENDING.toSeconds()));
      daemon.kill();
    }
  }

  /**
   * Says which of the master, these region servers and every enabled table is not in service; empty
   * if all are.
   */
  static Optional<String> lack(Configuration conf, List<Daemon> regionServers) {
    try (Connection connection = ConnectionFactory.createConnection(impatient(conf));
        Admin admin = connection.getAdmin()) {
      // Only a master that has finished its start tells.
      admin.listNamespaces();
      ClusterMetrics metrics =
          admin.getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS, Option.REGIONS_IN_TRANSITION));
      long live =
          regionServers.stream()
              .filter(
                  each ->
                      metrics.getLiveServerMetrics().values().stream()
                          .anyMatch(server -> hasReported(server) && isOf(server, each)))
              .count();
      if (live < regionServers.size()) {
        return Optional.of(
            "%d of %d region servers are live".formatted(live, regionServers.size()));
      }
      // A region that is being opened counts as available where a dead server had it last.
      if (!metrics.getRegionStatesInTransition().isEmpty()) {
        return Optional.of("in transition: " + metrics.getRegionStatesInTransition().get(0));
      }
      for (TableName table : admin.listTableNames()) {
        if (admin.isTableEnabled(table) && !admin.isTableAvailable(table)) {
          return Optional.of("table %s has regions that no server serves".formatted(table));
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("the master does not answer: " + e.getMessage());
    }
  }

  /**
   * Whether it has its node in ZooKeeper, which comes before its first report. The master counts it
   * as live before, and would not learn of its end.
   */
  private static boolean hasReported(ServerMetrics server) {
    return server.getMaxHeapSize().getLongValue() > 0;
  }

  /**
   * Whether it is of this very process: one that was killed is live to the master until its session
   * in ZooKeeper ends, also when there is another on its port.
   */
  private static boolean isOf(ServerMetrics metrics, Daemon daemon) {
    ServerName server = metrics.getServerName();
    return server.getPort() == daemon.node().port()
        && daemon
            .process()
            .flatMap(process -> process.info().startInstant())
            .map(begun -> server.getStartCode() >= begun.toEpochMilli() - CLOCK_MILLIS)
            .orElse(true);
  }

  /** Tells HBase to stop in order; fails soon if there is no master that could. */
  private static void shutDown(Configuration conf) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(impatient(conf));
        Admin admin = connection.getAdmin()) {
      admin.shutdown();
    }
  }

  private static Configuration impatient(Configuration given) {
    Configuration conf = new Configuration(given);
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 2);
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, PATIENCE_MILLIS);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, PATIENCE_MILLIS);
    conf.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, PATIENCE_MILLIS);
    conf.setInt("zookeeper.recovery.retry", 1);
    return conf;
  }
}
