package io.deli.tools;

import io.deli.tools.embedded.DataDirectory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.apache.hadoop.security.UserGroupInformation;

/** The configuration of a client for one command: a person waits, so it gives up soon. */
final class ClientSettings {
  private static final String REGISTRY = HConstants.CLIENT_CONNECTION_REGISTRY_IMPL_CONF_KEY;
  private static final int REACH_MILLIS = 5_000;
  private static final String HBASE_DEFAULTS = "hbase-default.xml";
  private static final List<String> FILES =
      List.of(
          "core-site.xml",
          "hdfs-site.xml",
          "yarn-site.xml",
          "mapred-site.xml",
          "hbase-site.xml",
          "deli-site.xml");

  private ClientSettings() {}

  static Configuration of(Target target) {
    Configuration conf = HBaseConfiguration.create();
    target.conf().ifPresent(directory -> read(conf, directory));
    giveUpSoon(conf);
    target.zookeeper().ifPresent(address -> point(conf, address));
    requireReachable(conf);
    return conf;
  }

  /** For the embedded HBase of a data directory, whose process may have another /tmp. */
  static Configuration at(String zookeeper, DataDirectory data) {
    Configuration conf = HBaseConfiguration.create();
    giveUpSoon(conf);
    setIfDefault(conf, HConstants.TEMPORARY_FS_DIRECTORY_KEY, data.temporary().toString());
    point(conf, zookeeper);
    requireReachable(conf);
    return conf;
  }

  private static void giveUpSoon(Configuration conf) {
    setIfDefault(conf, HConstants.HBASE_CLIENT_RETRIES_NUMBER, "10");
    setIfDefault(conf, HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, "300000");
    setIfDefault(conf, "zookeeper.recovery.retry", "2");
  }

  /** Sets a value that no site file has; one that is set by program beats them all. */
  private static void setIfDefault(Configuration conf, String key, String value) {
    String[] sources = conf.getPropertySources(key);
    if (sources == null || sources[sources.length - 1].endsWith(HBASE_DEFAULTS)) {
      conf.set(key, value);
    }
  }

  private static void read(Configuration conf, Path directory) {
    if (!Files.isReadable(directory.resolve("hbase-site.xml"))) {
      throw Failure.usage(
          "no readable hbase-site.xml in " + directory + ": give --conf the directory that has it");
    }
    for (String name : FILES) {
      Path file = directory.resolve(name);
      if (Files.isReadable(file)) {
        conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      }
    }
    // It would know of Kerberos by a core-site.xml on the class path only.
    UserGroupInformation.setConfiguration(conf);
  }

  private static void point(Configuration conf, String address) {
    int colon = address.lastIndexOf(':');
    String hosts = colon < 0 ? address : address.substring(0, colon);
    try {
      int port =
          colon < 0
              ? HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT
              : Integer.parseInt(address.substring(colon + 1));
      if (hosts.isEmpty() || port < 1 || port > 65_535) {
        throw new NumberFormatException();
      }
      conf.set(HConstants.ZOOKEEPER_QUORUM, hosts);
      conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, port);
      // Set, for what is unset comes back when Hadoop reads the site files again.
      conf.set(HConstants.CLIENT_ZOOKEEPER_QUORUM, hosts);
      conf.setInt(HConstants.CLIENT_ZOOKEEPER_CLIENT_PORT, port);
      conf.set(REGISTRY, HConstants.ZK_CONNECTION_REGISTRY_CLASS);
    } catch (NumberFormatException e) {
      throw Failure.usage("--zookeeper " + address + ": write HOST:PORT or HOST1,HOST2:PORT");
    }
  }

  /** HBase's own client would try for minutes. One that asks masters needs no ZooKeeper. */
  private static void requireReachable(Configuration conf) {
    if (!conf.get(REGISTRY, HConstants.ZK_CONNECTION_REGISTRY_CLASS)
        .equals(HConstants.ZK_CONNECTION_REGISTRY_CLASS)) {
      return;
    }
    String quorum =
        Optional.ofNullable(ZKConfig.getClientZKQuorumServersString(conf))
            .orElseGet(() -> ZKConfig.getZKQuorumServersString(conf));
    IOException last = null;
    for (String entry : quorum.split(",", -1)) {
      try (Socket socket = new Socket()) {
        socket.connect(address(entry), REACH_MILLIS);
        return;
      } catch (IOException e) {
        last = e;
      }
    }
    throw new Failure(
        ExitCode.UNAVAILABLE,
        "no ZooKeeper answers at %s (%s): is HBase running there?"
            .formatted(quorum, last.getMessage()),
        last);
  }

  private static InetSocketAddress address(String entry) {
    String[] parts = entry.split(":", 2);
    try {
      return new InetSocketAddress(parts[0].trim(), Integer.parseInt(parts[1].trim()));
    } catch (IllegalArgumentException e) {
      throw Failure.usage(
          "ZooKeeper at '%s': write HOST or HOST:PORT, and an IPv6 address by a host name"
              .formatted(entry));
    }
  }
}
