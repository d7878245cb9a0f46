package io.deli.client.internal.read;

import io.deli.client.internal.read.EntryPage.EntryGroup;
import io.deli.index.Column;
import io.deli.service.TokenScan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads the base rows that a page of entries names: one Get per row, one request per region server,
 * and of each row no more columns than the plan needs.
 */
record BaseRows(TableReader requests, QueryPlan plan) {
  /** Reads the base rows of a page, by key; the result of a row that does not exist is empty. */
  CompletableFuture<Map<byte[], Result>> read(EntryPage page) {
    if (page.bases().isPresent()) {
      return CompletableFuture.completedFuture(page.bases().get());
    }
    SortedSet<byte[]> keys = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (EntryGroup group : page.groups()) {
      group.entries().forEach(entry -> keys.add(entry.key()));
    }
    return read(keys);
  }

  /** Reads rows by their keys. */
  CompletableFuture<Map<byte[], Result>> read(SortedSet<byte[]> keys) {
    if (keys.isEmpty()) {
      return CompletableFuture.completedFuture(Map.of());
    }
    Set<Column> columns = plan.columns();
    List<Get> gets = keys.stream().map(key -> get(key, columns)).toList();
    plan.narrowed().ifPresent(asked -> TokenScan.ask(gets, List.of(asked)));
    return requests
        .get(plan.base(), gets)
        .thenApply(results -> byKey(new ArrayList<>(keys), results));
  }

  static Map<byte[], Result> byKey(List<byte[]> keys, List<Result> results) {
    Map<byte[], Result> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < keys.size(); i++) {
      rows.put(keys.get(i), results.get(i));
    }
    return rows;
  }

  private Get get(byte[] key, Set<Column> columns) {
    Get get = new Get(key);
    columns.forEach(column -> get.addColumn(column.family(), column.qualifier()));
    try {
      return get.readVersions(plan.options().versions()).setTimeRange(0, plan.timeEnd());
    } catch (IOException e) {
      throw new UncheckedIOException("versions and asOf are checked to be in range", e);
    }
  }

  /** The newest version of each column to project. */
  Result projected(Result row) {
    List<Cell> cells = new ArrayList<>();
    Column last = null;
    for (Cell cell : row.rawCells()) {
      if (last != null && last.matches(cell)) {
        continue;
      }
      for (Column column : plan.options().projection()) {
        if (column.matches(cell)) {
          cells.add(cell);
          last = column;
          break;
        }
      }
    }
    return cells.isEmpty() ? Result.EMPTY_RESULT : Result.create(cells);
  }
}
