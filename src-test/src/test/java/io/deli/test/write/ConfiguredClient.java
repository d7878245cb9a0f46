package io.deli.test.write;

import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests by one connection that knows of DELI by its configuration only. */
abstract class ConfiguredClient {
  static Connection connection;

  @BeforeAll
  static void connect() throws IOException {
    connection = MiniCluster.connectConfigured();
  }

  @AfterAll
  static void disconnect() throws IOException {
    connection.close();
  }
}
