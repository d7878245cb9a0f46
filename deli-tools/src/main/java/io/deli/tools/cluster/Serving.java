package io.deli.tools.cluster;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Asks HBase how it is. */
final class Serving {
  private static final int PATIENCE_MILLIS = 5_000;

  private Serving() {}

  /**
   * What is not in service of the master, so many region servers and every enabled table; empty if
   * all is.
   */
  static Optional<String> lack(Configuration conf, int regionServers) {
    try (Connection connection = ConnectionFactory.createConnection(impatient(conf));
        Admin admin = connection.getAdmin()) {
      int live =
          admin.getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS)).getLiveServerMetrics().size();
      if (live < regionServers) {
        return Optional.of("%d of %d region servers are live".formatted(live, regionServers));
      }
      // Only a master that has finished its start tells.
      admin.listNamespaces();
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
