package io.deli.test.cluster;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnectionImpl;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.security.User;

/** For what a test does otherwise; HBase makes it by a constructor of these parameters. */
public abstract class AsyncConnectionOfHBase extends AsyncConnectionImpl {
  protected AsyncConnectionOfHBase(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      Map<String, byte[]> attributes) {
    super(configuration, registry, clusterId, user, attributes);
  }
}
