package io.deli.lab.fault;

import io.deli.lab.cluster.Await;
import io.deli.lab.cluster.Daemon;
import io.deli.lab.cluster.ProcessCluster;
import io.deli.lab.cluster.Role;
import io.deli.lab.cluster.Shell.Signal;
import io.deli.lab.fault.Fault.StaleReadWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.util.Threads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Faults of processes: kill -9 of each kind, and stops for a while. Processes that die, also of
 * another's death, are started again until this is closed.
 */
public final class ProcessFaults implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessFaults.class);

  static final Duration SESSION_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration SHORT = SESSION_TIMEOUT.dividedBy(2);
  private static final Duration LONG = SESSION_TIMEOUT.multipliedBy(3);
  private static final Duration NOTICE = Duration.ofSeconds(5);

  private static final Duration PATIENCE = Duration.ofMinutes(15);

  /** Recovery takes less; who waits longer waits for good. */
  private static final Duration STUCK = Duration.ofMinutes(4);

  private static final int COMPLAINTS = 40;
  private static final long REVIVAL_MILLIS = 300;

  private final ProcessCluster cluster;
  private final ScheduledExecutorService supervisor = Executors.newSingleThreadScheduledExecutor();

  public ProcessFaults(ProcessCluster cluster) {
    this.cluster = cluster;
    var unused =
        supervisor.scheduleWithFixedDelay(
            cluster::revive, REVIVAL_MILLIS, REVIVAL_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Settings of a cluster that finds a dead server soon, and whose clients turn from it. */
  public static Map<String, String> settings(Duration operationTimeout) {
    String operation = Long.toString(operationTimeout.toMillis());
    Map<String, String> settings = new TreeMap<>(TableFaults.SETTINGS);
    settings.putAll(
        Map.of(
            "zookeeper.session.timeout", Long.toString(SESSION_TIMEOUT.toMillis()),
            // What the master tries in vain while servers are away waits minutes otherwise, then.
            "hbase.procedure.retry.max.sleep.time.ms", "4000",
            // A server whose reports met a dead master waits up to 200 times as long for the next.
            "hbase.rpc.shortoperation.retry.pause.time", "50",
            "hbase.zookeeper.property.tickTime", "1000",
            // One that cannot close its logs hangs, and ends itself in 20 minutes otherwise.
            "hbase.regionserver.abort.timeout", "30000",
            "hbase.lease.recovery.first.pause", "500",
            "hbase.rpc.timeout", "4000",
            "hbase.client.operation.timeout", operation,
            "hbase.client.meta.operation.timeout", operation,
            "deli.gc.timeout.ms", "3000"));
    return settings;
  }

  public ProcessCluster cluster() {
    return cluster;
  }

  /** kill -9 of each kind of the cluster's processes, and stops of region servers. */
  public List<Fault> all() {
    List<Fault> all = new ArrayList<>(kills(List::of));
    all.add(stop("short", Role.REGION_SERVER, SHORT));
    all.add(stop("long", Role.REGION_SERVER, LONG));
    return all;
  }

  private Fault stop(String word, Role role, Duration length) {
    return new Fault(
        word + " stop of " + name(role), endsServers(role), random -> stop(role, random, length));
  }

  /** The others can do without a master for a while. */
  private static boolean endsServers(Role role) {
    return role != Role.MASTER;
  }

  private static String name(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  List<Fault> kills(Supplier<List<ProcessHandle>> clients) {
    List<Fault> kills = new ArrayList<>();
    for (Role role : Role.values()) {
      kills.add(Fault.of("kill of " + name(role), endsServers(role), random -> kill(role, random)));
    }
    if (!clients.get().isEmpty()) {
      kills.add(Fault.of("kill of client", random -> killClient(clients, random)));
    }
    return kills;
  }

  List<Fault> stops(Supplier<List<ProcessHandle>> clients) {
    List<Fault> stops = new ArrayList<>();
    Map.of("short", SHORT, "long", LONG)
        .forEach(
            (word, length) -> {
              for (Role role : Role.values()) {
                stops.add(stop(word, role, length));
              }
              if (!clients.get().isEmpty()) {
                stops.add(Fault.of(word + " stop of client", r -> stopClient(clients, r, length)));
              }
            });
    return stops;
  }

  private static void killClient(Supplier<List<ProcessHandle>> clients, Random random) {
    List<ProcessHandle> running = clients.get();
    ProcessHandle client = Fault.any(running, random);
    client.destroyForcibly();
    boolean again =
        Await.until(PATIENCE, () -> !client.isAlive() && clients.get().size() >= running.size());
    Fault.require(again, "client process %d is not replaced".formatted(client.pid()));
  }

  private static void stopClient(
      Supplier<List<ProcessHandle>> clients, Random random, Duration length) {
    ProcessHandle client = Fault.any(clients.get(), random);
    Signal.STOP.to(client);
    try {
      requireStopped(client);
      Threads.sleepWithoutInterrupt(length.toMillis());
    } finally {
      Signal.CONT.to(client);
    }
  }

  private static void requireStopped(ProcessHandle process) {
    boolean stopped = Await.until(NOTICE, () -> Signal.isStopped(process));
    Fault.require(stopped, "process %d does not stand still".formatted(process.pid()));
  }

  void restart(Daemon daemon) {
    ProcessHandle former = daemon.process().orElseThrow();
    daemon.terminate();
    if (!Await.until(PATIENCE, () -> !former.isAlive())) {
      LOG.warn("{} does not end in order; killing it", daemon.node().name());
      daemon.kill();
    }
    awaitService();
  }

  private void kill(Role role, Random random) {
    any(role, random).kill();
    awaitService();
  }

  private Optional<StaleReadWindow> stop(Role role, Random random, Duration length) {
    Daemon daemon = any(role, random);
    // One that has ended itself, of what befell before, is stopped once it is started again.
    boolean there = Await.until(PATIENCE, daemon::pause);
    Fault.require(there, "%s is not started again".formatted(daemon.node().name()));
    long stopped = System.nanoTime();
    long resumed;
    try {
      daemon.process().ifPresent(ProcessFaults::requireStopped);
      Threads.sleepWithoutInterrupt(length.toMillis());
    } finally {
      resumed = System.nanoTime();
      daemon.resume();
    }
    // One that was given up learns of it a moment later, and ends itself.
    Threads.sleepWithoutInterrupt(SESSION_TIMEOUT.toMillis());
    awaitService();
    return role == Role.REGION_SERVER
        ? Optional.of(new StaleReadWindow(stopped, resumed, System.nanoTime()))
        : Optional.empty();
  }

  Daemon any(Role role, Random random) {
    return Fault.any(cluster.daemons(role), random);
  }

  /** Waits until all processes run and HBase serves all tables; helps where none else would. */
  void awaitService() {
    if (Await.until(STUCK, cluster::serves)) {
      return;
    }
    // HBase's master may wait for good for what a death at the wrong moment lost, as in
    // HBASE-28659. What region servers owe to DELI outlasts a new master, and is found.
    Daemon master = cluster.daemons(Role.MASTER).get(0);
    LOG.warn("the cluster does not serve again: {}; starting its master anew", lack());
    master.kill();
    Fault.require(
        Await.until(PATIENCE, cluster::serves),
        "the cluster in %s does not serve again: %s; its master's last complaints:%n%s"
            .formatted(
                cluster.directory(), lack(), String.join("\n", master.complaints(COMPLAINTS))));
  }

  private String lack() {
    return cluster.lack().flatMap(lack -> lack.lines().findFirst()).orElse("it does by now");
  }

  @Override
  public void close() {
    supervisor.shutdown();
    try {
      supervisor.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
