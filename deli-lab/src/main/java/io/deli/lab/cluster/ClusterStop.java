package io.deli.lab.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/** One stop of a cluster. */
final class ClusterStop {
  private static final Duration FLUSHING = Duration.ofMinutes(2);
  private static final Duration ENDING = Duration.ofSeconds(15);

  private final List<Daemon> daemons;
  private final Consumer<String> told;

  ClusterStop(List<Daemon> daemons, Consumer<String> told) {
    this.daemons = daemons;
    this.told = told;
  }

  void run(Supplier<Configuration> conf) {
    daemons.stream().filter(Daemon::isRunning).forEach(Daemon::resume);
    if (runs(Role.MASTER) && runs(Role.REGION_SERVER)) {
      told.accept("stopping HBase, which flushes its tables");
      try {
        Serving.shutDown(conf.get());
        Await.until(FLUSHING, () -> !runs(Role.MASTER) && !runs(Role.REGION_SERVER));
      } catch (IOException e) {
        told.accept("the master does not obey (" + e.getMessage() + "): ending each process");
      }
    }
    for (int i = daemons.size() - 1; i >= 0; i--) {
      end(daemons.get(i));
    }
  }

  private boolean runs(Role role) {
    return daemons.stream().anyMatch(daemon -> daemon.node().role() == role && daemon.isRunning());
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
}
