package io.deli.test.hbase;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.MiniHBaseCluster.MiniHBaseClusterRegionServer;

/**
 * HBase's region server, for a cluster in the JVM of clients that use DELI by configuration: the
 * setting is one of clients only. Named by {@code hbase.regionserver.impl}.
 */
public final class PlainRegionServer extends MiniHBaseClusterRegionServer {
  public PlainRegionServer(Configuration configuration) throws IOException, InterruptedException {
    super(withoutDeliConnection(configuration));
  }

  static Configuration withoutDeliConnection(Configuration configuration) {
    Configuration plain = new Configuration(configuration);
    plain.unset("hbase.client.connection.impl");
    plain.unset("hbase.client.async.connection.impl");
    return plain;
  }
}
