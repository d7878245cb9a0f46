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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientSettingsTest {
  private static final String RETRIES = "hbase.client.retries.number";
  private static final String TIMEOUT = "hbase.client.operation.timeout";

  @TempDir private Path directory;

  @Test
  void whatTheSiteFilesSayHolds() throws IOException {
    Configuration conf =
        settings("<property><name>" + RETRIES + "</name><value>31</value></property>");

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

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  private Configuration settings(String properties) throws IOException {
    Files.writeString(
        directory.resolve("hbase-site.xml"), "<configuration>" + properties + "</configuration>");
    try (ServerSocket zookeeper = listen()) {
      return ClientSettings.of(
          new Target(
              Optional.of("localhost:" + zookeeper.getLocalPort()),
              Optional.of(directory),
              new DataDirectory(directory)));
    }
  }
}
