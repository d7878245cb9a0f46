package io.deli.lab.cluster;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

final class Serving {
  private static final int PATIENCE_MILLIS = 5_000;

  /** By which the operating system may tell the start of a process later than it was. */
  private static final long CLOCK_MILLIS = 1_000;

  private Serving() {}

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
      Set<ServerName> known = metrics.getLiveServerMetrics().keySet();
      long live =
          regionServers.stream()
              .filter(each -> known.stream().anyMatch(server -> isOf(server, each)))
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
   * Whether it is of this very process: one that was killed is live to the master until its session
   * in ZooKeeper ends, also when there is another on its port.
   */
  private static boolean isOf(ServerName server, Daemon daemon) {
    return server.getPort() == daemon.node().port()
        && daemon
            .process()
            .flatMap(process -> process.info().startInstant())
            .map(begun -> server.getStartCode() >= begun.toEpochMilli() - CLOCK_MILLIS)
            .orElse(true);
  }

  /** Tells HBase to stop in order; fails soon if there is no master that could. */
  static void shutDown(Configuration conf) throws IOException {
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
