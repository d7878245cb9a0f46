package io.deli.client.internal.read;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Tables of one or two regions in memory, behind HBase's connection: what queries ask of them, but
 * for filters, and for scans that are reversed.
 */
final class MemoryTables {
  private final Map<TableName, NavigableMap<byte[], NavigableSet<Cell>>> tables = new HashMap<>();
  private final Map<TableName, byte[]> splits = new HashMap<>();
  private Runnable ahead = () -> {};
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
              case "getRegionLocator" -> locator((TableName) arguments[0]);
              default -> throw new UnsupportedOperationException(method);
            });
  }

  private AsyncTable<?> table(TableName name) {
    return proxy(
        AsyncTable.class,
        (method, arguments) ->
            switch (method) {
              case "scanAll" -> answer(() -> scan(name, (Scan) arguments[0]));
              case "getAll" -> answer(() -> get(name, (List<?>) arguments[0]));
              default -> throw new UnsupportedOperationException(method);
            });
  }

  private AsyncTableRegionLocator locator(TableName name) {
    return proxy(
        AsyncTableRegionLocator.class,
        (method, arguments) ->
            switch (method) {
              case "getRegionLocation" ->
                  CompletableFuture.completedFuture(
                      new HRegionLocation(
                          region(name, (byte[]) arguments[0]), ServerName.valueOf("server", 1, 1)));
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

  private interface Request {
    List<Result> run();
  }

  private CompletableFuture<List<Result>> answer(Request request) {
    ahead.run();
    return CompletableFuture.completedFuture(request.run());
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

  private List<Result> scan(TableName table, Scan scan) {
    byte[] split = split(table);
    List<Result> results = new ArrayList<>();
    if (split.length > 0) {
      scan(table, scan, row -> Bytes.compareTo(row, split) < 0, results);
      if (results.size() == scan.getLimit()) {
        return results;
      }
      ahead.run();
    }
    scan(table, scan, row -> Bytes.compareTo(row, split) >= 0, results);
    return results;
  }

  private void scan(TableName table, Scan scan, Predicate<byte[]> region, List<Result> results) {
    scans++;
    NavigableMap<byte[], NavigableSet<Cell>> from =
        rows(table).tailMap(scan.getStartRow(), scan.includeStartRow());
    NavigableMap<byte[], NavigableSet<Cell>> range =
        scan.getStopRow().length == 0
            ? from
            : from.headMap(scan.getStopRow(), scan.includeStopRow());
    for (Map.Entry<byte[], NavigableSet<Cell>> row : range.entrySet()) {
      if (results.size() == scan.getLimit()) {
        return;
      }
      Result result =
          seen(row.getValue(), scan.getTimeRange(), scan.getMaxVersions(), cell -> true);
      if (region.test(row.getKey()) && !result.isEmpty()) {
        results.add(result);
      }
    }
  }

  private List<Result> get(TableName table, List<?> all) {
    gets += all.size();
    return all.stream()
        .map(Get.class::cast)
        .map(
            get ->
                seen(
                    rows(table).getOrDefault(get.getRow(), new TreeSet<>()),
                    get.getTimeRange(),
                    get.getMaxVersions(),
                    cell ->
                        get.getFamilyMap()
                            .get(CellUtil.cloneFamily(cell))
                            .contains(CellUtil.cloneQualifier(cell))))
        .toList();
  }

  private static Result seen(
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
    return Result.create(cells);
  }
}
