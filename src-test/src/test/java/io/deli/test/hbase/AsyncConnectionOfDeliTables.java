package io.deli.test.hbase;

import io.deli.client.DeliConnection;
import io.deli.test.cluster.AsyncConnectionOfHBase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.security.User;

/**
 * Gives tests that open an asynchronous connection the tables of {@link
 * DeliConnection#getAsyncTable}. Named by {@code hbase.client.async.connection.impl}, in tests
 * only: DELI ships no such class. Tables with a pool of their own, and those of builders, are
 * HBase's.
 */
public final class AsyncConnectionOfDeliTables extends AsyncConnectionOfHBase {
  private final Configuration configuration;
  private final User user;
  private DeliConnection deli;

  /** What HBase 2.5 calls. */
  public AsyncConnectionOfDeliTables(
      Configuration configuration, ConnectionRegistry registry, String clusterId, User user) {
    this(configuration, registry, clusterId, user, Map.of());
  }

  /** What newer HBase calls. */
  public AsyncConnectionOfDeliTables(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      Map<String, byte[]> attributes) {
    super(configuration, registry, clusterId, user, attributes);
    this.configuration = PlainRegionServer.withoutDeliConnection(configuration);
    this.user = user;
  }

  @Override
  public AsyncTable<AdvancedScanResultConsumer> getTable(TableName table) {
    try {
      return deli().getAsyncTable(table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opened late: HBase makes this object on a thread that must not wait. */
  private synchronized DeliConnection deli() throws IOException {
    if (deli == null) {
      deli = DeliConnection.wrap(ConnectionFactory.createConnection(configuration, user));
    }
    return deli;
  }

  @Override
  public void close() {
    try {
      synchronized (this) {
        if (deli != null) {
          deli.close();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      super.close();
    }
  }
}
