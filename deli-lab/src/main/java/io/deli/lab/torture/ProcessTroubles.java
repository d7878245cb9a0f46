package io.deli.lab.torture;

import io.deli.lab.cluster.Await;
import io.deli.lab.cluster.Daemon;
import io.deli.lab.cluster.ProcessCluster;
import io.deli.lab.cluster.Role;
import io.deli.lab.cluster.Supervisor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.util.Threads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to processes: kill -9 of each kind, and stops for a while. What dies, also of
 * another's death, is started again until this is closed.
 */
public final class ProcessTroubles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessTroubles.class);

  private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int COMPLAINTS = 40;

  private final ProcessCluster cluster;
  private final Supervisor supervisor;

  public ProcessTroubles(ProcessCluster cluster) {
    this.cluster = cluster;
    this.supervisor = Supervisor.of(cluster);
  }

  /**
   * Settings of a cluster that is to suffer: what finds a dead server soon, and lets clients turn
   * from one that does not answer.
   *
   * @param operationTimeout after which clients give an operation up
   */
  public static Map<String, String> settings(Duration operationTimeout) {
    String operation = Long.toString(operationTimeout.toMillis());
    return Map.of(
        "zookeeper.session.timeout", Long.toString(SESSION_TIMEOUT.toMillis()),
        // What the master tries in vain while servers are away waits minutes otherwise, then.
        "hbase.procedure.retry.max.sleep.time.ms", "4000",
        "hbase.zookeeper.property.tickTime", "1000",
        "hbase.lease.recovery.first.pause", "500",
        "hbase.rpc.timeout", "4000",
        "hbase.client.operation.timeout", operation,
        "hbase.client.meta.operation.timeout", operation,
        "deli.gc.timeout.ms", "3000");
  }

  /** Each of them. */
  public List<Trouble> all() {
    List<Trouble> all = new ArrayList<>();
    for (Role role : Role.values()) {
      all.add(Trouble.of("kill of " + role.name().toLowerCase(Locale.ROOT), r -> kill(role, r)));
    }
    all.add(
        new Trouble("short stop of a region server", r -> stop(r, SESSION_TIMEOUT.dividedBy(2))));
    all.add(
        new Trouble("long stop of a region server", r -> stop(r, SESSION_TIMEOUT.multipliedBy(3))));
    return all;
  }

  private void kill(Role role, Random random) {
    any(role, random).kill();
    awaitService();
  }

  private Optional<Zombie> stop(Random random, Duration length) {
    Daemon daemon = any(Role.REGION_SERVER, random);
    // One that has ended itself, of what befell before, is stopped once it is started again.
    if (!Await.until(PATIENCE, daemon::pause)) {
      throw new IllegalStateException(daemon.node().name() + " is not started again");
    }
    long stopped = System.nanoTime();
    long resumed;
    try {
      Threads.sleepWithoutInterrupt(length.toMillis());
    } finally {
      resumed = System.nanoTime();
      daemon.resume();
    }
    // One that was given up learns of it a moment later, and ends itself.
    Threads.sleepWithoutInterrupt(SESSION_TIMEOUT.toMillis());
    awaitService();
    return Optional.of(new Zombie(stopped, resumed, System.nanoTime()));
  }

  private Daemon any(Role role, Random random) {
    List<Daemon> daemons = cluster.daemons(role);
    return daemons.get(random.nextInt(daemons.size()));
  }

  private void awaitService() {
    if (Await.until(PATIENCE, cluster::serves)) {
      return;
    }
    // HBase's master may wait for good for what a death at the wrong moment lost, as in
    // HBASE-28659. What region servers owe to DELI outlasts a new master, and is found.
    Daemon master = cluster.daemons(Role.MASTER).get(0);
    LOG.warn("the cluster does not serve again: {}; starting its master anew", lack());
    master.kill();
    if (!Await.until(PATIENCE, cluster::serves)) {
      String complaints = String.join("\n", master.complaints(COMPLAINTS));
      throw new IllegalStateException(
          "the cluster in %s does not serve again: %s; its master's last complaints:%n%s"
              .formatted(cluster.directory(), lack(), complaints));
    }
  }

  private String lack() {
    return cluster.lack().flatMap(lack -> lack.lines().findFirst()).orElse("it does by now");
  }

  @Override
  public void close() {
    supervisor.close();
  }
}
