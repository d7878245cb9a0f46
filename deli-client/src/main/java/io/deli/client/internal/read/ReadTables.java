package io.deli.client.internal.read;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.client.internal.HBaseCompat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Reads the tables that the queries of one table need, index tables and the table itself.
 * Thread-safe.
 */
final class ReadTables implements TableReader {
  private final AsyncConnection connection;
  private final List<Consumer<AsyncTableBuilder<?>>> settings;
  private final int few;
  private final Scheduler scheduler;
  private final SharedScans.OfConnection shared;
  private final ConcurrentMap<TableName, Opened> opened;
  private final BooleanSupplier closed;

  /**
   * A table with the settings.
   *
   * @param requestMillis within which a request is answered; zero for any
   * @param millis for an operation, a scan among them
   * @param hasAttributes which HBase's client does not send with calls of an endpoint
   */
  private record Opened(
      AsyncTable<AdvancedScanResultConsumer> table,
      long requestMillis,
      long millis,
      boolean hasAttributes) {}

  /**
   * @param few requests to a server among which scans are divided
   */
  ReadTables(AsyncConnection connection, int few, Scheduler scheduler) {
    this(connection, List.of(), few, scheduler);
  }

  private ReadTables(
      AsyncConnection connection,
      List<Consumer<AsyncTableBuilder<?>>> settings,
      int few,
      Scheduler scheduler) {
    this.connection = connection;
    this.settings = settings;
    this.few = few;
    this.scheduler = scheduler;
    this.shared = new SharedScans.OfConnection(this::endpoint, few, scheduler);
    this.opened = new ConcurrentHashMap<>();
    this.closed = () -> false;
  }

  private ReadTables(ReadTables other, BooleanSupplier closed) {
    this.connection = other.connection;
    this.settings = other.settings;
    this.few = other.few;
    this.scheduler = other.scheduler;
    this.shared = other.shared;
    this.opened = other.opened;
    this.closed = closed;
  }

  /**
   * Returns the tables with settings of the table that is queried. Its scans share requests with
   * each other, and with no others, who may wait longer.
   */
  ReadTables with(List<Consumer<AsyncTableBuilder<?>>> own) {
    return new ReadTables(connection, own, few, scheduler);
  }

  /**
   * Returns the same tables for one query. Once that is closed, requests are not sent but fail, and
   * scans end with the response that is on its way.
   */
  ReadTables until(BooleanSupplier closedNow) {
    return new ReadTables(this, closedNow);
  }

  private void check() {
    if (closed.getAsBoolean()) {
      throw ScanCollector.cancelled();
    }
  }

  AsyncTable<AdvancedScanResultConsumer> open(TableName table) {
    check();
    return settings.isEmpty() ? connection.getTable(table) : opened(table).table();
  }

  private Opened opened(TableName table) {
    return opened.computeIfAbsent(table, this::build);
  }

  private Opened build(TableName name) {
    AsyncTable<?> set = builder(name).build();
    // To who asks, a page of a query is one operation, though entries are scanned.
    long scan =
        least(
            set.getScanTimeout(TimeUnit.NANOSECONDS),
            set.getOperationTimeout(TimeUnit.NANOSECONDS));
    long request = least(set.getReadRpcTimeout(TimeUnit.NANOSECONDS), scan);
    return new Opened(
        builder(name).setScanTimeout(scan, TimeUnit.NANOSECONDS).build(),
        TimeUnit.NANOSECONDS.toMillis(request),
        TimeUnit.NANOSECONDS.toMillis(scan),
        !HBaseCompat.attributes(set).isEmpty());
  }

  private AsyncTableBuilder<AdvancedScanResultConsumer> builder(TableName name) {
    AsyncTableBuilder<AdvancedScanResultConsumer> builder = connection.getTableBuilder(name);
    settings.forEach(setting -> setting.accept(builder));
    return builder;
  }

  /** Returns the shortest time-out; zero is none. */
  private static long least(long... timeouts) {
    return LongStream.of(timeouts).filter(each -> each > 0).min().orElse(0);
  }

  /**
   * Opens a table for scans by an endpoint. One request's time is all that they have, so that
   * nothing is left of them when the caller has gone on: HBase's own scan has the last word.
   */
  AsyncTable<?> endpoint(TableName table) {
    AsyncTable<?> plain = connection.getTable(table);
    long millis =
        settings.isEmpty()
            ? least(
                plain.getRpcTimeout(TimeUnit.MILLISECONDS),
                plain.getOperationTimeout(TimeUnit.MILLISECONDS))
            : opened(table).requestMillis();
    return builder(table)
        .setRpcTimeout(millis, TimeUnit.MILLISECONDS)
        .setOperationTimeout(millis, TimeUnit.MILLISECONDS)
        .build();
  }

  /**
   * Bounds by the settings the wait for what does not keep to them by itself, and may be shared
   * with others, for whom it goes on.
   */
  <T> CompletableFuture<T> bounded(TableName table, CompletableFuture<T> answer) {
    return settings.isEmpty() || answer.isDone()
        ? answer
        : scheduler.within(answer, opened(table).millis(), "reads of table " + table);
  }

  /** Locates the region of a row, usually from the cache. */
  CompletableFuture<HRegionLocation> locate(TableName table, byte[] row) {
    check();
    return bounded(table, connection.getRegionLocator(table).getRegionLocation(row));
  }

  @Override
  public CompletableFuture<List<Result>> scanServers(TableName table, Scan scan) {
    check();
    return !settings.isEmpty() && opened(table).hasAttributes()
        ? scanAll(table, scan)
        : ServerScans.rows(this, table, shared, scan);
  }

  @Override
  public void scan(TableName table, Scan scan, ScanCollector collector) {
    open(table).scan(scan, collector.until(closed));
  }

  @Override
  public CompletableFuture<List<Result>> get(TableName table, List<Get> gets) {
    return open(table).getAll(gets);
  }
}
