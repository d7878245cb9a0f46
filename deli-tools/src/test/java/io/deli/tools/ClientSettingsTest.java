package io.deli.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.tools.embedded.DataDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientSettingsTest {
  private static final String RETRIES = "hbase.client.retries.number";
  private static final String TIMEOUT = "hbase.client.operation.timeout";
  private static final String REGISTRY = "hbase.client.registry.impl";
  private static final String RPC = "org.apache.hadoop.hbase.client.RpcConnectionRegistry";
  private static final String NO_HOST = "no-host.invalid";

  @TempDir private Path directory;

  @Test
  void whatTheSiteFilesSayHolds() throws IOException {
    Configuration conf = settings(property(RETRIES, "31"));

    assertThat(conf.getInt(RETRIES, 0)).isEqualTo(31);
    assertThat(conf.getInt(TIMEOUT, 0)).isEqualTo(300_000);
  }

  @Test
  void aPersonDoesNotWaitForAsManyRetriesAsHBaseMakes() throws IOException {
    assertThat(settings("").getInt(RETRIES, 0)).isEqualTo(10);
  }

  /** It may run as a service with a /tmp of its own. */
  @Test
  void filesForAnEmbeddedHBaseAreInItsDataDirectory() throws IOException {
    DataDirectory data = new DataDirectory(directory);
    try (ServerSocket zookeeper = listen()) {
      Configuration conf = ClientSettings.at("localhost:" + zookeeper.getLocalPort(), data);
      assertThat(conf.get("hbase.fs.tmp.dir")).isEqualTo(data.temporary().toString());
    }
  }

  @Test
  void clientsThatAskMasters_needNoZooKeeper() throws IOException {
    Configuration conf =
        settings(property(REGISTRY, RPC) + property("hbase.zookeeper.quorum", NO_HOST), false);

    assertThat(conf.get(REGISTRY)).isEqualTo(RPC);
  }

  @Test
  void aZooKeeperForClients_isTheOneThatMustAnswer() throws IOException {
    try (ServerSocket zookeeper = listen()) {
      String address = "localhost:" + zookeeper.getLocalPort();
      Configuration conf =
          settings(
              property("hbase.client.zookeeper.quorum", address)
                  + property("hbase.zookeeper.quorum", NO_HOST),
              false);

      assertThat(ZKConfig.getClientZKQuorumServersString(conf)).isEqualTo(address);
    }
  }

  /** Also if Hadoop reads the site files again, as for its first job of MapReduce. */
  @Test
  void theZooKeeperOfTheCommandLine_isAskedWhateverTheSiteFilesSay() throws IOException {
    Configuration conf =
        settings(
            property(REGISTRY, RPC)
                + property("hbase.client.zookeeper.quorum", NO_HOST)
                + property("hbase.client.zookeeper.property.clientPort", "1"));

    conf.reloadConfiguration();

    assertThat(ZKConfig.getClientZKQuorumServersString(conf))
        .isEqualTo(ZKConfig.getZKQuorumServersString(conf))
        .startsWith("localhost:");
    assertThat(conf.get(REGISTRY)).isEqualTo(HConstants.ZK_CONNECTION_REGISTRY_CLASS);
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  private static String property(String name, String value) {
    return "<property><name>%s</name><value>%s</value></property>".formatted(name, value);
  }

  private Configuration settings(String properties) throws IOException {
    return settings(properties, true);
  }

  private Configuration settings(String properties, boolean pointed) throws IOException {
    Files.writeString(
        directory.resolve("hbase-site.xml"), "<configuration>" + properties + "</configuration>");
    try (ServerSocket zookeeper = listen()) {
      return ClientSettings.of(
          new Target(
              pointed ? Optional.of("localhost:" + zookeeper.getLocalPort()) : Optional.empty(),
              Optional.of(directory),
              new DataDirectory(directory)));
    }
  }
}
