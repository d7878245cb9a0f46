package io.deli.lab.cluster;

import io.deli.tools.Failure;
import java.io.UncheckedIOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Starts again what dies of a cluster's processes, as an init system would, until closed. */
public final class Supervisor implements AutoCloseable {
  private static final long PERIOD_MILLIS = 300;

  private final ProcessCluster cluster;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Supervisor::thread);

  private Supervisor(ProcessCluster cluster) {
    this.cluster = cluster;
  }

  /** Begins. */
  public static Supervisor of(ProcessCluster cluster) {
    Supervisor supervisor = new Supervisor(cluster);
    var unused =
        supervisor.thread.scheduleWithFixedDelay(
            supervisor::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    return supervisor;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "deli-supervisor");
    thread.setDaemon(true);
    return thread;
  }

  private void look() {
    for (Daemon daemon : cluster.daemons()) {
      try {
        cluster.revive(daemon);
      } catch (Failure | UncheckedIOException e) {
        // As while its port is not free yet: there will be another look.
      }
    }
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      thread.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
