package io.deli.client.internal.write;

import io.deli.client.internal.Surroundings.Delays;
import io.deli.config.DeliSettings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/** The ways to the tables of a cluster, with one set of time-outs. Thread-safe. */
public final class HBasePorts implements Ports {
  /** An operation bounded to less would fail for no reason but a slow moment. */
  private static final long LEAST_BOUND_MILLIS = 1_000;

  private final AsyncConnection connection;
  private final Consumer<AsyncTableBuilder<?>> settings;
  private final Delays delays;
  private final LaneLimits limits;
  private final long boundMillis;
  private final ConcurrentMap<TableName, Port> combining = new ConcurrentHashMap<>();
  private final ConcurrentMap<TableName, Port> plain = new ConcurrentHashMap<>();

  /**
   * Ports of a connection.
   *
   * @param settings time-outs and the like, made on every table
   */
  public HBasePorts(
      AsyncConnection connection,
      Configuration configuration,
      Consumer<AsyncTableBuilder<?>> settings,
      Delays delays) {
    this.connection = connection;
    this.settings = settings;
    this.delays = delays;
    this.limits = LaneLimits.of(configuration);
    this.boundMillis =
        Math.max(LEAST_BOUND_MILLIS, DeliSettings.REPAIR_GRACE.get(configuration) / 2);
  }

  @Override
  public Port index(TableName table) {
    return combining.computeIfAbsent(table, name -> lanes(name, disabled(name)::watch));
  }

  @Override
  public Port base(TableName table) {
    return combining.computeIfAbsent(table, name -> lanes(name, list -> {}));
  }

  @Override
  public Port plain(TableName table) {
    return plain.computeIfAbsent(table, name -> direct(new TableWire(builder(name).build())));
  }

  /** Sends every list as it comes. */
  private static Port direct(Wire wire) {
    return operations -> Call.together(operations, wire::send);
  }

  @Override
  public List<CompletableFuture<Result>> get(TableName table, List<Get> gets) {
    return bounded(table).get(gets);
  }

  @Override
  public CompletableFuture<List<Result>> scan(TableName table, Scan scan) {
    return builder(table).build().scanAll(scan);
  }

  private AsyncTable<?> bounded(TableName name) {
    AsyncTableBuilder<AdvancedScanResultConsumer> builder = builder(name);
    long wanted = builder.build().getOperationTimeout(TimeUnit.MILLISECONDS);
    long bounded = wanted > 0 ? Math.min(wanted, boundMillis) : boundMillis;
    return builder.setOperationTimeout(bounded, TimeUnit.MILLISECONDS).build();
  }

  private DisabledTable disabled(TableName name) {
    return new DisabledTable(name, () -> connection.getAdmin().isTableDisabled(name), delays);
  }

  private Port lanes(TableName name, Consumer<List<CompletableFuture<Object>>> lists) {
    AsyncTable<?> table = bounded(name);
    return new Lanes(
        new TableWire(table, lists), table.getRegionLocator()::getRegionLocation, limits, delays);
  }

  private AsyncTableBuilder<AdvancedScanResultConsumer> builder(TableName table) {
    AsyncTableBuilder<AdvancedScanResultConsumer> builder = connection.getTableBuilder(table);
    settings.accept(builder);
    return builder;
  }
}
