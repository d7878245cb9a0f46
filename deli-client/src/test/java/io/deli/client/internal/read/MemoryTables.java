package io.deli.client.internal.read;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanController;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Tables of one or two regions in memory, behind HBase's connection: what queries ask of them, but
 * for filters of rows.
 */
final class MemoryTables {
  /** So much of what a scan asks for in bytes brings one cell: pages of tests have few. */
  private static final long CELL_BYTES = 2_000;

  private final Map<TableName, NavigableMap<byte[], NavigableSet<Cell>>> tables = new HashMap<>();
  private final Map<TableName, byte[]> splits = new HashMap<>();
  private Runnable ahead = () -> {};
  private CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);
  private boolean areLost;
  private int rowsOfResponse = Integer.MAX_VALUE;
  private int scans;
  private int gets;

  /** A method of an interface, by its name. */
  private interface Call {
    Object of(String method, Object[] arguments);
  }

  @SuppressWarnings("unchecked")
  private static <T> T proxy(Class<T> type, Call call) {
    return (T)
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call.of(method.getName(), arguments));
  }

  AsyncConnection connection() {
    return proxy(
        AsyncConnection.class,
        (method, arguments) ->
            switch (method) {
              case "getTable" -> table((TableName) arguments[0]);
              case "getTableBuilder" -> builder((TableName) arguments[0]);
              case "getRegionLocator" -> locator((TableName) arguments[0]);
              default -> throw new UnsupportedOperationException(method);
            });
  }

  private AsyncTableBuilder<?> builder(TableName name) {
    return proxy(
        AsyncTableBuilder.class,
        (method, arguments) -> method.equals("build") ? table(name) : builder(name));
  }

  private AsyncTable<?> table(TableName name) {
    return proxy(
        AsyncTable.class,
        (method, arguments) ->
            switch (method) {
              case "getRpcTimeout" -> 60_000L;
              case "getAll" -> answer(() -> get(name, (List<?>) arguments[0]));
              case "scan" ->
                  answer(
                      () ->
                          scan(
                              name,
                              (Scan) arguments[0],
                              (AdvancedScanResultConsumer) arguments[1]));
              default -> throw new UnsupportedOperationException(method);
            });
  }

  private AsyncTableRegionLocator locator(TableName name) {
    return proxy(
        AsyncTableRegionLocator.class,
        (method, arguments) ->
            switch (method) {
              case "getRegionLocation" ->
                  areLost
                      ? CompletableFuture.failedFuture(new IOException("no place is known"))
                      : CompletableFuture.completedFuture(
                          new HRegionLocation(
                              region(name, (byte[]) arguments[0]),
                              ServerName.valueOf("server", 1, 1)));
              default -> throw new UnsupportedOperationException(method);
            });
  }

  private RegionInfo region(TableName table, byte[] row) {
    byte[] split = split(table);
    RegionInfoBuilder region = RegionInfoBuilder.newBuilder(table);
    return Bytes.compareTo(row, split) < 0
        ? region.setEndKey(split).build()
        : region.setStartKey(split).build();
  }

  /** The first row of the second region; empty if there is but one. */
  private byte[] split(TableName table) {
    return splits.getOrDefault(table, HConstants.EMPTY_BYTE_ARRAY);
  }

  void split(TableName table, byte[] row) {
    splits.put(table, row);
  }

  /** Has nobody know from now on where regions are. */
  void lose() {
    areLost = true;
  }

  private <T> CompletableFuture<T> answer(Supplier<T> request) {
    return gate.isDone()
        ? CompletableFuture.completedFuture(request.get())
        : gate.thenApply(open -> request.get());
  }

  /** Has scans take a request, which sees the moment, for so many rows each. */
  void divide(int rows) {
    rowsOfResponse = rows;
  }

  /** Has requests wait from now on. */
  void hold(CompletableFuture<Void> until) {
    gate = until;
  }

  /** Has something happen ahead of each request. */
  void aheadOfRequests(Runnable action) {
    ahead = action;
  }

  /** The requests of scans so far. */
  int scans() {
    return scans;
  }

  /** The rows read by Gets so far. */
  int gets() {
    return gets;
  }

  private NavigableMap<byte[], NavigableSet<Cell>> rows(TableName table) {
    return tables.computeIfAbsent(table, name -> new TreeMap<>(Bytes.BYTES_COMPARATOR));
  }

  void put(TableName table, Put put) {
    for (Collection<Cell> cells : put.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        NavigableSet<Cell> row =
            rows(table)
                .computeIfAbsent(put.getRow(), key -> new TreeSet<>(CellComparator.getInstance()));
        row.remove(cell);
        row.add(cell);
      }
    }
  }

  void remove(TableName table, Predicate<Cell> which) {
    rows(table).values().forEach(row -> row.removeIf(which));
    rows(table).values().removeIf(Collection::isEmpty);
  }

  /** All of a row. */
  Result row(TableName table, byte[] key) {
    NavigableSet<Cell> cells = rows(table).get(key);
    return cells == null ? Result.EMPTY_RESULT : Result.create(new ArrayList<>(cells));
  }

  NavigableSet<byte[]> keys(TableName table) {
    return rows(table).navigableKeySet();
  }

  void replace(TableName table, byte[] row, List<Cell> cells) {
    rows(table).remove(row);
    if (!cells.isEmpty()) {
      NavigableSet<Cell> replaced = new TreeSet<>(CellComparator.getInstance());
      replaced.addAll(cells);
      rows(table).put(row, replaced);
    }
  }

  /** The regions that a scan comes to, in its direction. */
  private List<Predicate<byte[]>> regions(TableName table, Scan scan) {
    byte[] split = split(table);
    if (split.length == 0) {
      return List.of(row -> true);
    }
    Predicate<byte[]> first = row -> Bytes.compareTo(row, split) < 0;
    return scan.isReversed() ? List.of(first.negate(), first) : List.of(first, first.negate());
  }

  /** The rows of a scan, in its direction. */
  private NavigableMap<byte[], NavigableSet<Cell>> range(TableName table, Scan scan) {
    NavigableMap<byte[], NavigableSet<Cell>> all =
        scan.isReversed() ? rows(table).descendingMap() : rows(table);
    byte[] start = scan.getStartRow();
    byte[] stop = scan.getStopRow();
    NavigableMap<byte[], NavigableSet<Cell>> from =
        start.length == 0 ? all : all.tailMap(start, scan.includeStartRow());
    if (stop.length == 0) {
      return from;
    }
    // What has been read up to its last row is read on behind that.
    boolean isAtEnd =
        Bytes.equals(start, stop) && !(scan.includeStartRow() && scan.includeStopRow());
    return isAtEnd ? Collections.emptyNavigableMap() : from.headMap(stop, scan.includeStopRow());
  }

  /** Brings responses, which may end within a row if that is allowed. */
  private Void scan(TableName table, Scan scan, AdvancedScanResultConsumer consumer) {
    AtomicBoolean isTerminated = new AtomicBoolean();
    ScanController controller =
        proxy(
            ScanController.class,
            (method, arguments) -> {
              isTerminated.set(true);
              return null;
            });
    ScanMetrics metrics = new ScanMetrics();
    if (scan.isScanMetricsEnabled()) {
      consumer.onScanMetricsCreated(metrics);
    }
    Deque<Predicate<byte[]>> regions = new ArrayDeque<>(regions(table, scan));
    while (!regions.isEmpty() && !isTerminated.get() && scan.getLimit() != 0) {
      ahead.run();
      scans++;
      metrics.addToCounter(ScanMetrics.RPC_CALLS_METRIC_NAME, 1);
      List<Result> response = response(table, scan, regions.peek());
      if (response.size() < rowsOfResponse) {
        regions.pop();
      } else {
        scan.withStartRow(response.get(response.size() - 1).getRow(), false);
      }
      if (!response.isEmpty()) {
        consumer.onNext(response.toArray(Result[]::new), controller);
      }
      scan.setLimit(Math.max(-1, scan.getLimit() - response.size()));
    }
    consumer.onComplete();
    return null;
  }

  private List<Result> response(TableName table, Scan scan, Predicate<byte[]> region) {
    List<Result> results = new ArrayList<>();
    int rows = scan.getLimit() < 0 ? rowsOfResponse : Math.min(rowsOfResponse, scan.getLimit());
    int left =
        scan.getAllowPartialResults()
            ? (int) Math.max(1, scan.getMaxResultSize() / CELL_BYTES)
            : Integer.MAX_VALUE;
    for (Map.Entry<byte[], NavigableSet<Cell>> row : range(table, scan).entrySet()) {
      if (left == 0 || results.size() == rows) {
        break;
      }
      List<Cell> cells = seen(row.getValue(), scan);
      if (region.test(row.getKey()) && !cells.isEmpty()) {
        // A server that stops at a row's last cell does not know that it is.
        boolean isCut = cells.size() >= left;
        results.add(Result.create(isCut ? cells.subList(0, left) : cells, null, false, isCut));
        left -= Math.min(left, cells.size());
      }
    }
    return results;
  }

  private static List<Cell> seen(Collection<Cell> row, Scan scan) {
    List<Cell> cells =
        seen(
            row,
            scan.getTimeRange(),
            scan.getMaxVersions(),
            cell ->
                !(scan.getFilter() instanceof ColumnRangeFilter range)
                    || Bytes.compareTo(CellUtil.cloneQualifier(cell), range.getMaxColumn()) < 0);
    int most = scan.getMaxResultsPerColumnFamily();
    return most > 0 && cells.size() > most ? cells.subList(0, most) : cells;
  }

  private List<Result> get(TableName table, List<?> all) {
    ahead.run();
    gets += all.size();
    return all.stream()
        .map(Get.class::cast)
        .map(
            get ->
                Result.create(
                    seen(
                        rows(table).getOrDefault(get.getRow(), new TreeSet<>()),
                        get.getTimeRange(),
                        get.getMaxVersions(),
                        cell ->
                            get.getFamilyMap()
                                .get(CellUtil.cloneFamily(cell))
                                .contains(CellUtil.cloneQualifier(cell)))))
        .toList();
  }

  private static List<Cell> seen(
      Collection<Cell> row, TimeRange times, int versions, Predicate<Cell> columns) {
    List<Cell> cells = new ArrayList<>();
    int same = 0;
    Cell last = null;
    for (Cell cell : row) {
      if (columns.test(cell) && times.withinTimeRange(cell.getTimestamp())) {
        same = last != null && CellUtil.matchingColumn(last, cell) ? same + 1 : 1;
        last = cell;
        if (same <= versions) {
          cells.add(cell);
        }
      }
    }
    return cells;
  }
}
