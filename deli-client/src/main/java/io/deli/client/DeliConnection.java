package io.deli.client;

import io.deli.client.internal.HBaseCompat;
import io.deli.client.internal.connect.Engine;
import io.deli.client.internal.connect.LazyEngine;
import io.deli.client.internal.connect.PlainConfiguration;
import io.deli.client.internal.connect.Wiring;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.security.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HBase connection whose tables keep indexes.
 *
 * <p>Either wrap a connection, or leave an application as it is and set {@code
 * hbase.client.connection.impl} to this class's name in its configuration. Set that on clients
 * only: parts of the servers ask for a connection of HBase's own class. For the application's
 * asynchronous connections, see {@link DeliAsyncConnection}.
 *
 * <p>Beside the wrapped connection it has an asynchronous one to the same cluster, as the same
 * user, opened when the first table is asked for. Thread-safe; share one for the whole application.
 */
public class DeliConnection implements Connection {
  private static final Logger LOG = LoggerFactory.getLogger(DeliConnection.class);

  private final Connection given;
  private final Connection wrapped;
  private final Configuration configuration;
  private final LazyEngine engine;

  /** Called by HBase 2.5's {@link ConnectionFactory} when the configuration names this class. */
  public DeliConnection(Configuration configuration, ExecutorService pool, User user)
      throws IOException {
    this(configuration, pool, user, Map.of());
  }

  /** Called by {@link ConnectionFactory} when the configuration names this class. */
  public DeliConnection(
      Configuration configuration, ExecutorService pool, User user, Map<String, byte[]> attributes)
      throws IOException {
    // First, since it fails if a setting is wrong.
    Wiring wiring = Wiring.of(configuration);
    this.wrapped =
        HBaseCompat.connect(PlainConfiguration.of(configuration), pool, user, attributes);
    this.given = wrapped;
    this.configuration = configuration;
    this.engine = new LazyEngine(configuration, user, attributes, wiring);
  }

  /** Wraps a connection with parts of one's own: for tests. */
  protected DeliConnection(Connection connection, Wiring wiring) throws IOException {
    this.given = connection;
    this.wrapped = connection instanceof DeliConnection deli ? deli.wrapped : connection;
    this.configuration = connection.getConfiguration();
    User user =
        wrapped instanceof ClusterConnection cluster ? cluster.getUser() : User.getCurrent();
    this.engine = new LazyEngine(configuration, user, Map.of(), wiring);
  }

  /**
   * Wraps a connection. It becomes this one's: close this one and both are closed. One that is a
   * {@code DeliConnection} already is wrapped afresh, with an engine of its own.
   */
  public static DeliConnection wrap(Connection connection) throws IOException {
    return new DeliConnection(connection, Wiring.of(connection.getConfiguration()));
  }

  /** Wraps a connection, with timestamps from the given oracle. */
  public static DeliConnection wrap(Connection connection, TimestampOracle oracle)
      throws IOException {
    return new DeliConnection(connection, Wiring.of(oracle));
  }

  @Override
  public DeliTable getTable(TableName table) throws IOException {
    return new DeliTable(engine.get(), wrapped.getTable(table), List.of());
  }

  @Override
  public DeliTable getTable(TableName table, ExecutorService pool) throws IOException {
    return new DeliTable(engine.get(), wrapped.getTable(table, pool), List.of());
  }

  @Override
  public TableBuilder getTableBuilder(TableName table, ExecutorService pool) {
    return new DeliTableBuilder(engine, wrapped.getTableBuilder(table, pool));
  }

  /** The asynchronous twin of {@link #getTable(TableName)}; light, no need to close it. */
  public AsyncDeliTable getAsyncTable(TableName table) throws IOException {
    Engine open = engine.get();
    return new AsyncDeliTable(open, open.connection().getTable(table), List.of());
  }

  @Override
  public BufferedMutator getBufferedMutator(TableName table) throws IOException {
    return getBufferedMutator(new BufferedMutatorParams(table));
  }

  /**
   * Returns a mutator that maintains indexes. It sends a full buffer without waiting for the answer
   * and writes the entries of one buffer while the previous one goes to the base table, so failures
   * surface in a later call. A pool and the class name of another implementation are ignored.
   */
  @Override
  public BufferedMutator getBufferedMutator(BufferedMutatorParams params) throws IOException {
    return engine.get().mutator(params);
  }

  /** Returns an admin of this connection's indexes. */
  public DeliAdmin getDeliAdmin() {
    return DeliAdmin.of(this);
  }

  /** Returns the counters of read repair on this connection. */
  public ReadMetrics readMetrics() {
    return engine
        .ifOpen()
        .map(open -> open.queries().metrics())
        .orElseGet(() -> new ReadMetrics(0, 0, 0, 0));
  }

  @Override
  public Configuration getConfiguration() {
    return configuration;
  }

  @Override
  public RegionLocator getRegionLocator(TableName table) throws IOException {
    return wrapped.getRegionLocator(table);
  }

  @Override
  public void clearRegionLocationCache() {
    wrapped.clearRegionLocationCache();
    engine.ifOpen().map(Engine::connection).ifPresent(open -> open.clearRegionLocationCache());
  }

  @Override
  public Admin getAdmin() throws IOException {
    return wrapped.getAdmin();
  }

  @Override
  public String getClusterId() {
    return wrapped.getClusterId();
  }

  @Override
  public Hbck getHbck() throws IOException {
    return wrapped.getHbck();
  }

  @Override
  public Hbck getHbck(ServerName masterServer) throws IOException {
    return wrapped.getHbck(masterServer);
  }

  /** Closes both connections. Operations under way fail. */
  @Override
  public void close() throws IOException {
    try (given) {
      engine.close();
    }
  }

  @Override
  public boolean isClosed() {
    return wrapped.isClosed();
  }

  /** Closes both connections at once, as HBase's own closes itself. */
  @Override
  public void abort(String why, Throwable cause) {
    given.abort(why, cause);
    try {
      engine.abort();
    } catch (IOException e) {
      LOG.warn("Could not close the asynchronous connection beside {}", wrapped, e);
    }
  }

  @Override
  public boolean isAborted() {
    return wrapped.isAborted();
  }

  @Override
  public String toString() {
    return "DELI over " + wrapped;
  }
}
