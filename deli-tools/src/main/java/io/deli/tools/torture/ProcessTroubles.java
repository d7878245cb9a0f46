package io.deli.tools.torture;

import io.deli.tools.cluster.Daemon;
import io.deli.tools.cluster.ProcessCluster;
import io.deli.tools.cluster.Role;
import io.deli.tools.cluster.Supervisor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.hbase.util.Threads;

/**
 * What happens to processes: kill -9 of each kind, and stops for a while. What dies, also of
 * another's death, is started again until this is closed.
 */
public final class ProcessTroubles implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final ProcessCluster cluster;
  private final Supervisor supervisor;
  private final Duration session;

  /**
   * @param session after which a server that does not answer is given up
   */
  public ProcessTroubles(ProcessCluster cluster, Duration session) {
    this.cluster = cluster;
    this.session = session;
    this.supervisor = Supervisor.of(cluster);
  }

  /** Each of them. */
  public List<Trouble> all() {
    List<Trouble> all = new ArrayList<>();
    for (Role role : Role.values()) {
      all.add(Trouble.of("kill of " + role.name().toLowerCase(Locale.ROOT), r -> kill(role, r)));
    }
    all.add(Trouble.of("short stop of a region server", r -> stop(r, session.dividedBy(2))));
    all.add(Trouble.of("long stop of a region server", r -> stop(r, session.multipliedBy(3))));
    return all;
  }

  private void kill(Role role, Random random) {
    any(role, random).kill();
    awaitService();
  }

  private void stop(Random random, Duration length) {
    Daemon daemon = any(Role.REGION_SERVER, random);
    daemon.pause();
    try {
      Threads.sleepWithoutInterrupt(length.toMillis());
    } finally {
      daemon.resume();
    }
    // One that was given up learns of it a moment later, and ends itself.
    Threads.sleepWithoutInterrupt(session.toMillis());
    awaitService();
  }

  private Daemon any(Role role, Random random) {
    List<Daemon> daemons = cluster.daemons(role);
    return daemons.get(random.nextInt(daemons.size()));
  }

  private void awaitService() {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!cluster.serves()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "the cluster in %s does not serve again".formatted(cluster.directory()));
      }
      Threads.sleepWithoutInterrupt(500);
    }
  }

  @Override
  public void close() {
    supervisor.close();
  }
}
