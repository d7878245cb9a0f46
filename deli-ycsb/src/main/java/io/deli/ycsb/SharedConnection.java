package io.deli.ycsb;

import io.deli.client.DeliConnection;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * One connection for all bindings of a JVM that ask for the same configuration: YCSB makes one
 * binding for each of its threads. The last one to close it closes the connection.
 */
final class SharedConnection implements Closeable {
  private static final List<String> PASSED_ON = List.of("hbase.", "zookeeper.", "deli.");
  private static final Map<Key, SharedConnection> OPEN = new HashMap<>();

  private final Key key;
  private final Connection connection;
  private int users;

  private record Key(Map<String, String> settings, boolean plain) {}

  private SharedConnection(Key key) throws IOException {
    this.key = key;
    this.connection = connect(key);
  }

  /**
   * Opens the connection, or joins those who have it open.
   *
   * @param properties HBase's and DELI's settings among them are set on top of the class path's
   *     {@code hbase-site.xml}
   * @param plain whether it is to be HBase's own
   */
  static SharedConnection open(Properties properties, boolean plain) throws IOException {
    Key key = new Key(settings(properties), plain);
    synchronized (OPEN) {
      SharedConnection shared = OPEN.get(key);
      if (shared == null) {
        shared = new SharedConnection(key);
        OPEN.put(key, shared);
      }
      shared.users++;
      return shared;
    }
  }

  private static Map<String, String> settings(Properties properties) {
    Map<String, String> settings = new TreeMap<>();
    for (String name : properties.stringPropertyNames()) {
      if (PASSED_ON.stream().anyMatch(name::startsWith)
          && !name.startsWith(BindingOptions.PREFIX)) {
        settings.put(name, properties.getProperty(name));
      }
    }
    return settings;
  }

  private static Connection connect(Key key) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    key.settings.forEach(conf::set);
    // A site may have named DELI's connection: it is wrapped here or not wanted.
    conf.unset("hbase.client.connection.impl");
    conf.unset("hbase.client.async.connection.impl");
    Connection plain = ConnectionFactory.createConnection(conf);
    return key.plain ? plain : DeliConnection.wrap(plain);
  }

  Connection connection() {
    return connection;
  }

  @Override
  public void close() throws IOException {
    synchronized (OPEN) {
      if (--users == 0) {
        OPEN.remove(key);
        connection.close();
      }
    }
  }
}
