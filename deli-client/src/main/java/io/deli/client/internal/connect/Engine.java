package io.deli.client.internal.connect;

import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.HBaseCompat;
import io.deli.client.internal.RegionClient;
import io.deli.client.internal.connect.IndexingAsyncTableBuilder.RetryPause;
import io.deli.client.internal.metrics.ClientMetrics;
import io.deli.client.internal.read.CurrentDefinitions;
import io.deli.client.internal.read.QueryEngine;
import io.deli.client.internal.write.BlockingWriter;
import io.deli.client.internal.write.HBaseTableClients;
import io.deli.client.internal.write.InFlightLimiter;
import io.deli.client.internal.write.IndexedTableWriter;
import io.deli.client.internal.write.TableClients;
import io.deli.client.internal.write.WriteRules;
import io.deli.config.DeliSettings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;

/** The parts that all tables of one connection share. Thread-safe. */
public final class Engine {
  private final AsyncConnection connection;
  private final Configuration configuration;
  private final Wiring wiring;
  private final Consumer<AsyncTableBuilder<?>> defaults;
  private final WriteRules rules;
  private final DefinitionCache definitions;
  private final int queue;
  private final ConcurrentMap<TableName, InFlightLimiter> limiters = new ConcurrentHashMap<>();
  private final TableClients clients;
  private final ClientMetrics metrics;
  private final QueryEngine queries;

  /**
   * @param configuration of the application
   * @param defaults made on every table that is written to, before the application's own settings
   * @throws IllegalArgumentException if a setting is wrong
   */
  public Engine(
      AsyncConnection connection,
      Configuration configuration,
      Wiring wiring,
      Consumer<AsyncTableBuilder<?>> defaults) {
    this.connection = connection;
    this.configuration = configuration;
    this.wiring = wiring;
    this.defaults = defaults;
    this.rules = WriteRules.of(configuration);
    this.definitions =
        new DefinitionCache(
            new RegionClient(connection, wiring.environment())::describe,
            DeliSettings.DEFINITIONS_LEASE.get(configuration),
            wiring.environment().ticker());
    this.queue = DeliSettings.WRITE_QUEUE.get(configuration);
    this.clients = clients(table -> {}, true);
    this.metrics = ClientMetrics.of(configuration);
    try {
      this.queries = new QueryEngine(connection, configuration, wiring.environment(), metrics);
    } catch (RuntimeException e) {
      metrics.close();
      throw e;
    }
  }

  /**
   * Creates an engine that owns its connection, which is closed if the engine cannot be created.
   */
  public static Engine on(
      AsyncConnection connection,
      Configuration configuration,
      Wiring wiring,
      Consumer<AsyncTableBuilder<?>> defaults)
      throws IOException {
    try {
      return new Engine(connection, configuration, wiring, defaults);
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  public Configuration configuration() {
    return configuration;
  }

  public AsyncConnection connection() {
    return connection;
  }

  public CurrentDefinitions definitions(TableName table) {
    return new CurrentDefinitions(definitions, table);
  }

  public QueryEngine queries() {
    return queries;
  }

  /**
   * A writer to a table.
   *
   * @param settings made on every table that it sends to; operations of writers without any are
   *     combined with each other's
   */
  public IndexedTableWriter writer(TableName table, List<Consumer<AsyncTableBuilder<?>>> settings) {
    TableClients own =
        settings.isEmpty()
            ? clients
            : clients(builder -> settings.forEach(setting -> setting.accept(builder)), false);
    return writer(table, own, rules(settings));
  }

  private WriteRules rules(List<Consumer<AsyncTableBuilder<?>>> settings) {
    WriteRules own = rules;
    for (Consumer<AsyncTableBuilder<?>> setting : settings) {
      if (setting instanceof RetryPause last) {
        own = own.withRetryNanos(last.unit().toNanos(last.pause()));
      }
    }
    return own;
  }

  /** A writer for callers that wait. */
  public BlockingWriter blocking(TableName table, List<Consumer<AsyncTableBuilder<?>>> settings) {
    return new BlockingWriter(writer(table, settings), limiter(table));
  }

  /** One for each table, so that callers whose table's regions hang keep out no others. */
  private InFlightLimiter limiter(TableName table) {
    return limiters.computeIfAbsent(table, name -> new InFlightLimiter(queue));
  }

  public BufferedMutator mutator(BufferedMutatorParams params) {
    MutatorOptions options = MutatorOptions.of(params, configuration);
    return new PipelinedMutator(
        configuration,
        options,
        timeouts ->
            writer(
                options.table(), clients(table -> prepare(table, timeouts, options), false), rules),
        limiter(options.table()));
  }

  private static void prepare(
      AsyncTableBuilder<?> table, MutatorOptions.Timeouts timeouts, MutatorOptions options) {
    timeouts.applyTo(table);
    options.attributes().forEach((key, value) -> HBaseCompat.setAttribute(table, key, value));
  }

  private IndexedTableWriter writer(TableName table, TableClients own, WriteRules ownRules) {
    return new IndexedTableWriter(
        new IndexedTableWriter.Setup(
            table, definitions, own, wiring.context(), ownRules, metrics.writes()));
  }

  private TableClients clients(Consumer<AsyncTableBuilder<?>> settings, boolean colocates) {
    return wiring
        .clients()
        .apply(
            new HBaseTableClients(
                connection,
                configuration,
                defaults.andThen(settings),
                colocates,
                wiring.environment().scheduler()));
  }

  /** Closes the connection, too, when the entries are deleted that no caller waits for. */
  public void close() throws IOException {
    wiring.context().pendingDeletes().await();
    abort();
  }

  /** Closes the connection, too, without waiting for anything. */
  public void abort() throws IOException {
    metrics.close();
    queries.close();
    connection.close();
  }
}
