package io.deli.client.internal.connect;

import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.NewerHBase;
import io.deli.client.internal.RegionClient;
import io.deli.client.internal.metrics.ClientMetrics;
import io.deli.client.internal.read.Lookups;
import io.deli.client.internal.write.BlockingWriter;
import io.deli.client.internal.write.HBasePorts;
import io.deli.client.internal.write.Ports;
import io.deli.client.internal.write.Room;
import io.deli.client.internal.write.WriteRules;
import io.deli.client.internal.write.Writer;
import io.deli.config.DeliSettings;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;

/** What all tables of one connection share. Thread-safe. */
public final class Engine {
  private final AsyncConnection connection;
  private final Configuration configuration;
  private final Wiring wiring;
  private final WriteRules rules;
  private final DefinitionCache definitions;
  private final Room room;
  private final Ports ports;
  private final ClientMetrics metrics;
  private final Lookups lookups;

  /**
   * @param configuration of the application
   * @throws IllegalArgumentException if a setting is wrong
   */
  public Engine(AsyncConnection connection, Configuration configuration, Wiring wiring) {
    this.connection = connection;
    this.configuration = configuration;
    this.wiring = wiring;
    this.rules = WriteRules.of(configuration);
    this.definitions =
        new DefinitionCache(
            new RegionClient(connection, wiring.surroundings())::describe,
            Math.min(
                DeliSettings.DEFINITIONS_REFRESH.get(configuration),
                DeliSettings.DEFINITIONS_LEASE.get(configuration)),
            wiring.surroundings().ticker());
    this.room = new Room(DeliSettings.WRITE_QUEUE.get(configuration));
    this.ports = ports(table -> {});
    this.metrics = ClientMetrics.of(configuration);
    this.lookups = new Lookups(connection, configuration, wiring.surroundings(), metrics);
  }

  /** An engine on a connection that nobody else has: if it cannot be made, that is closed. */
  public static Engine on(AsyncConnection connection, Configuration configuration, Wiring wiring)
      throws IOException {
    try {
      return new Engine(connection, configuration, wiring);
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

  public DefinitionCache definitions() {
    return definitions;
  }

  public Lookups lookups() {
    return lookups;
  }

  /**
   * A writer to a table.
   *
   * @param settings made on every table that it sends to; operations of writers without any are
   *     combined with each other's
   */
  public Writer writer(TableName table, List<Consumer<AsyncTableBuilder<?>>> settings) {
    Ports own =
        settings.isEmpty()
            ? ports
            : ports(builder -> settings.forEach(setting -> setting.accept(builder)));
    return writer(table, own, rules);
  }

  /** A writer for callers that wait. */
  public BlockingWriter blocking(TableName table, List<Consumer<AsyncTableBuilder<?>>> settings) {
    return new BlockingWriter(writer(table, settings), room);
  }

  public BufferedMutator mutator(BufferedMutatorParams params) {
    MutatorOptions options = MutatorOptions.of(params, configuration);
    return new PipelinedMutator(
        params.getTableName(),
        configuration,
        options,
        MutatorTimeouts.of(params),
        timeouts ->
            writer(
                params.getTableName(),
                ports(table -> prepare(table, timeouts, options)),
                rules.withMaxKeyValueSize(options.maxKeyValueSize())),
        room);
  }

  private static void prepare(
      AsyncTableBuilder<?> table, MutatorTimeouts timeouts, MutatorOptions options) {
    timeouts.applyTo(table);
    options.attributes().forEach((key, value) -> NewerHBase.setAttribute(table, key, value));
  }

  private Writer writer(TableName table, Ports own, WriteRules ownRules) {
    return new Writer(table, definitions, own, wiring.identities(), ownRules, metrics.writes());
  }

  private Ports ports(Consumer<AsyncTableBuilder<?>> settings) {
    return wiring
        .ports()
        .apply(new HBasePorts(connection, configuration, settings, wiring.surroundings().delays()));
  }

  /** Closes the connection, too. */
  public void close() throws IOException {
    wiring.identities().withdrawals().await();
    metrics.close();
    lookups.close();
    connection.close();
  }
}
