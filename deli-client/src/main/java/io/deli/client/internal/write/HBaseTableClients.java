package io.deli.client.internal.write;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.config.DeliSettings;
import io.deli.service.DisabledTableWatch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/** Table clients of one connection that share their time-outs. Thread-safe. */
public final class HBaseTableClients implements TableClients {
  /** Least operation time-out: with less, a short pause of a server would fail writes. */
  private static final long LEAST_BOUND_MILLIS = 1_000;

  /** Time without an answer after which an index table is checked for being disabled. */
  private static final long DISABLED_CHECK_MILLIS = 1_000;

  private final AsyncConnection connection;
  private final Consumer<AsyncTableBuilder<?>> settings;
  private final Scheduler scheduler;
  private final ServerQueue.Limits limits;
  private final long boundMillis;
  private final ConcurrentMap<TableName, TableClient> combining = new ConcurrentHashMap<>();
  private final ConcurrentMap<TableName, TableClient> plain = new ConcurrentHashMap<>();
  private final ConcurrentMap<TableName, SharedRequests> shared = new ConcurrentHashMap<>();
  private final ConcurrentMap<TableName, Optional<ColocatedWrites>> colocated =
      new ConcurrentHashMap<>();
  private final ConcurrentMap<TableName, AsyncTableRegionLocator> locators =
      new ConcurrentHashMap<>();
  private final boolean colocates;

  /**
   * Creates table clients on a connection.
   *
   * @param settings applied to the builder of every table, such as time-outs
   * @param colocates whether rows may be sent with their entries: of a table's settings, HBase's
   *     client keeps to the time-outs alone in such requests
   */
  public HBaseTableClients(
      AsyncConnection connection,
      Configuration configuration,
      Consumer<AsyncTableBuilder<?>> settings,
      boolean colocates,
      Scheduler scheduler) {
    this.connection = connection;
    this.settings = settings;
    this.scheduler = scheduler;
    this.limits = ServerQueue.Limits.of(configuration);
    this.colocates =
        colocates
            && DeliSettings.WRITE_COLOCATED.get(configuration)
            && configuration.get(HConstants.RPC_CODEC_CONF_KEY) == null;
    this.boundMillis =
        Math.max(LEAST_BOUND_MILLIS, DeliSettings.REPAIR_GRACE.get(configuration) / 2);
  }

  /**
   * Bounds all that is written by the time-out of writes, as HBase's blocking client does; its
   * asynchronous one takes the general time-out for batches and conditional writes.
   */
  public static void boundAsWrites(AsyncTableBuilder<?> table) {
    long millis = table.build().getWriteRpcTimeout(TimeUnit.MILLISECONDS);
    table.setRpcTimeout(millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public TableClient index(TableName table) {
    return combining.computeIfAbsent(
        table,
        name -> {
          DisabledTableWatch watch =
              new DisabledTableWatch(
                  name, () -> connection.getAdmin().isTableDisabled(name), scheduler::bounded);
          return combining(bounded(name), list -> watch.watch(list, DISABLED_CHECK_MILLIS));
        });
  }

  @Override
  public TableClient base(TableName table) {
    return combining.computeIfAbsent(table, name -> combining(bounded(name), list -> {}));
  }

  @Override
  public TableClient alone(TableName table) {
    return new AsyncTableClient(bounded(table), list -> {});
  }

  @Override
  public Optional<ColocatedWrites> colocated(TableName table) {
    return colocated.computeIfAbsent(
        table,
        name -> {
          if (!colocates) {
            return Optional.empty();
          }
          AsyncTable<?> bounded = bounded(name);
          // What is not done in half of an operation's time gets there in the other.
          long half = bounded.getOperationTimeout(TimeUnit.MILLISECONDS) / 2;
          long once = bounded.getWriteRpcTimeout(TimeUnit.MILLISECONDS);
          long millis = once > 0 ? Math.min(once, half) : half;
          AsyncTable<?> hasty =
              builder(name)
                  .setRpcTimeout(millis, TimeUnit.MILLISECONDS)
                  .setOperationTimeout(millis, TimeUnit.MILLISECONDS)
                  .build();
          return Optional.of(new ColocatedWrites(hasty, this::locate, limits.whole(), scheduler));
        });
  }

  private CompletableFuture<HRegionLocation> locate(TableName table, byte[] row) {
    return locators.computeIfAbsent(table, connection::getRegionLocator).getRegionLocation(row);
  }

  @Override
  public TableClient plain(TableName table) {
    return plain.computeIfAbsent(
        table, name -> new AsyncTableClient(builder(name).build(), list -> {}));
  }

  @Override
  public SharedRequests shared(TableName table) {
    return shared.computeIfAbsent(
        table,
        name -> {
          long millis = operationMillis(name);
          AsyncTableBuilder<?> once = builder(name).setMaxAttempts(1);
          if (millis > 0) {
            // HBase's client has the whole time once more for what it sends alone.
            once.setOperationTimeout(Math.max(1, millis / 2), TimeUnit.MILLISECONDS);
          }
          return new SharedRequests(
              combining(once.build(), list -> {}),
              limits.direct(),
              millis > 0 ? TimeUnit.MILLISECONDS.toNanos(millis) : Long.MAX_VALUE,
              System::nanoTime);
        });
  }

  @Override
  public List<CompletableFuture<Result>> get(TableName table, List<Get> gets) {
    return bounded(table).get(gets);
  }

  @Override
  public CompletableFuture<List<Result>> scan(TableName table, Scan scan) {
    return builder(table).build().scanAll(scan);
  }

  @Override
  public long operationMillis(TableName table) {
    return Math.max(0, builder(table).build().getOperationTimeout(TimeUnit.MILLISECONDS));
  }

  @Override
  public long ownOperationMillis(TableName table) {
    long own = operationMillis(table);
    long all = connection.getTable(table).getOperationTimeout(TimeUnit.MILLISECONDS);
    // None, to HBase, if it is not positive.
    return own > 0 && (all <= 0 || own < all) ? own : 0;
  }

  private AsyncTable<?> bounded(TableName name) {
    AsyncTableBuilder<AdvancedScanResultConsumer> builder = builder(name);
    long wanted = builder.build().getOperationTimeout(TimeUnit.MILLISECONDS);
    long bounded = wanted > 0 ? Math.min(wanted, boundMillis) : boundMillis;
    return builder.setOperationTimeout(bounded, TimeUnit.MILLISECONDS).build();
  }

  private TableClient combining(
      AsyncTable<?> table, Consumer<List<? extends CompletableFuture<?>>> lists) {
    return new CombiningTableClient(
        new AsyncTableClient(table, lists)::sendCalls,
        operation -> locate(table.getName(), operation.getRow()),
        limits,
        scheduler);
  }

  private AsyncTableBuilder<AdvancedScanResultConsumer> builder(TableName table) {
    AsyncTableBuilder<AdvancedScanResultConsumer> builder = connection.getTableBuilder(table);
    settings.accept(builder);
    return builder;
  }
}
