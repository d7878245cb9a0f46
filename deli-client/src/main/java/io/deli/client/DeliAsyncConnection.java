package io.deli.client;

import io.deli.client.internal.HBaseCompat;
import io.deli.client.internal.connect.AsyncMutatorBuilder;
import io.deli.client.internal.connect.Engine;
import io.deli.client.internal.connect.IndexingAsyncTable;
import io.deli.client.internal.connect.IndexingAsyncTableBuilder;
import io.deli.client.internal.connect.PlainConfiguration;
import io.deli.client.internal.connect.Wiring;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncAdminBuilder;
import org.apache.hadoop.hbase.client.AsyncBufferedMutatorBuilder;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.security.User;

/**
 * An asynchronous HBase connection whose tables and buffered mutators keep indexes.
 *
 * <p>Either wrap a connection, or leave an application as it is and set {@code
 * hbase.client.async.connection.impl} to this class's name in its configuration, on clients only;
 * {@link DeliConnection} has a setting of its own. Thread-safe and non-blocking; share one for the
 * whole application.
 */
public class DeliAsyncConnection implements AsyncConnection {
  private final AsyncConnection given;
  private final AsyncConnection wrapped;
  private final Engine engine;

  /** Called by HBase 2.5's {@link ConnectionFactory} when the configuration names this class. */
  public DeliAsyncConnection(
      Configuration configuration, ConnectionRegistry registry, String clusterId, User user)
      throws IOException {
    this(configuration, registry, clusterId, user, Map.of());
  }

  /**
   * Called by {@link ConnectionFactory} when the configuration names this class.
   *
   * @param attributes of every request; null for none
   */
  public DeliAsyncConnection(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      Map<String, byte[]> attributes)
      throws IOException {
    // First, since it fails if a setting is wrong.
    Wiring wiring = Wiring.of(configuration);
    this.wrapped =
        HBaseCompat.connect(
            PlainConfiguration.of(configuration), registry, clusterId, user, attributes);
    this.given = wrapped;
    this.engine = Engine.on(wrapped, configuration, wiring, table -> {});
  }

  private DeliAsyncConnection(AsyncConnection connection) {
    this.given = connection;
    this.wrapped = connection instanceof DeliAsyncConnection deli ? deli.wrapped : connection;
    Configuration configuration = connection.getConfiguration();
    this.engine = new Engine(wrapped, configuration, Wiring.of(configuration), table -> {});
  }

  /**
   * Wraps a connection. It becomes this one's: close this one and both are closed. One that is a
   * {@code DeliAsyncConnection} already is wrapped afresh, with an engine of its own.
   */
  public static DeliAsyncConnection wrap(AsyncConnection connection) {
    return new DeliAsyncConnection(connection);
  }

  @Override
  public Configuration getConfiguration() {
    return engine.configuration();
  }

  @Override
  public AsyncDeliTable getTable(TableName table) {
    return new AsyncDeliTable(engine, wrapped.getTable(table), List.of());
  }

  @Override
  public AsyncTableBuilder<AdvancedScanResultConsumer> getTableBuilder(TableName table) {
    return builder(table);
  }

  private IndexingAsyncTableBuilder<AdvancedScanResultConsumer> builder(TableName table) {
    return new IndexingAsyncTableBuilder<>(
        wrapped.getTableBuilder(table),
        (plain, settings) -> new AsyncDeliTable(engine, plain, settings));
  }

  @Override
  public AsyncTableBuilder<ScanResultConsumer> getTableBuilder(
      TableName table, ExecutorService pool) {
    return builder(table, pool);
  }

  private IndexingAsyncTableBuilder<ScanResultConsumer> builder(
      TableName table, ExecutorService pool) {
    return new IndexingAsyncTableBuilder<>(
        wrapped.getTableBuilder(table, pool),
        (plain, settings) ->
            new IndexingAsyncTable<>(
                plain, engine.configuration(), engine.writer(table, settings), Optional.of(pool)));
  }

  @Override
  public AsyncBufferedMutatorBuilder getBufferedMutatorBuilder(TableName table) {
    return new AsyncMutatorBuilder(table, engine.configuration(), builder(table));
  }

  @Override
  public AsyncBufferedMutatorBuilder getBufferedMutatorBuilder(
      TableName table, ExecutorService pool) {
    return new AsyncMutatorBuilder(table, engine.configuration(), builder(table, pool));
  }

  @Override
  public AsyncTableRegionLocator getRegionLocator(TableName table) {
    return wrapped.getRegionLocator(table);
  }

  @Override
  public void clearRegionLocationCache() {
    wrapped.clearRegionLocationCache();
  }

  @Override
  public AsyncAdminBuilder getAdminBuilder() {
    return wrapped.getAdminBuilder();
  }

  @Override
  public AsyncAdminBuilder getAdminBuilder(ExecutorService pool) {
    return wrapped.getAdminBuilder(pool);
  }

  @Override
  public CompletableFuture<Hbck> getHbck() {
    return wrapped.getHbck();
  }

  @Override
  public Hbck getHbck(ServerName masterServer) throws IOException {
    return wrapped.getHbck(masterServer);
  }

  @Override
  public boolean isClosed() {
    return wrapped.isClosed();
  }

  /** Closes both connections. Operations under way fail. */
  @Override
  public void close() throws IOException {
    try (given) {
      engine.close();
    }
  }

  @Override
  public String toString() {
    return "DELI over " + wrapped;
  }
}
