package io.deli.tools.mapreduce;

import io.deli.tools.Failures;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** The clocks of region servers, which these report to the master every few seconds. */
final class ServerClocks {
  /** One more than it takes, for the first may have been under way. */
  private static final int REPORTS = 2;

  private static final long POLL_MILLIS = 200;

  /** A minute's. */
  static final int MOST_POLLS = 300;

  private ServerClocks() {}

  /**
   * Region servers as the master knows them.
   *
   * @param live the last report of each, in milliseconds by its clock; a master that has just begun
   *     lacks some
   */
  record Known(Map<ServerName, Long> live, Collection<ServerName> dead) {}

  /** Asks the master, after a pause. */
  @FunctionalInterface
  interface Master {
    Known poll() throws IOException;
  }

  /**
   * A time that is later than all that region servers have stamped, or admitted, before this call,
   * and which the newest of their clocks has passed.
   *
   * @throws IOException if a server does not report for a minute
   */
  static long newest(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return newest(
          () -> {
            pause();
            ClusterMetrics known =
                admin.getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS, Option.DEAD_SERVERS));
            Map<ServerName, Long> live = new HashMap<>();
            known
                .getLiveServerMetrics()
                .forEach((server, metrics) -> live.put(server, metrics.getReportTimestamp()));
            return new Known(live, known.getDeadServerNames());
          });
    }
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      throw Failures.stopped(e);
    }
  }

  /** Awaits reports of all servers, except of those that die meanwhile. */
  static long newest(Master master) throws IOException {
    Map<ServerName, Long> last = new HashMap<>(master.poll().live());
    for (int i = 0; i < REPORTS; i++) {
      Map<ServerName, Long> before = Map.copyOf(last);
      Set<ServerName> awaited = new HashSet<>(before.keySet());
      for (int polls = 0; !awaited.isEmpty(); polls++) {
        if (polls == MOST_POLLS) {
          throw new IOException(
              "region servers %s do not report to the master: see to them, and load again"
                  .formatted(awaited));
        }
        Known known = master.poll();
        last.putAll(known.live());
        awaited.removeAll(known.dead());
        awaited.removeIf(server -> !last.get(server).equals(before.get(server)));
      }
    }
    return last.values().stream()
        .mapToLong(Long::longValue)
        .max()
        .orElseThrow(() -> new IOException("no region server is alive"));
  }
}
