package io.deli.test.write;

import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/** Tests by one connection that knows of DELI by its configuration only. */
abstract class ConfiguredClient {
  @AutoClose static Connection connection;

  @BeforeAll
  static void connect() throws IOException {
    connection = MiniCluster.connectConfigured();
  }
}
