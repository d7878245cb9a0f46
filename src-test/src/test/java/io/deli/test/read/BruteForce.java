package io.deli.test.read;

import io.deli.client.ValueHit;
import io.deli.index.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** What a scan of the whole base table finds; knows nothing of indexes. */
record BruteForce(List<Result> rows) {
  /** As of a time, inclusive. */
  static BruteForce of(Table table, long asOf, int versions) throws IOException {
    Scan scan = new Scan().readVersions(versions);
    if (asOf < Long.MAX_VALUE) {
      scan.setTimeRange(0, asOf + 1);
    }
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      scanner.forEach(rows::add);
    }
    return new BruteForce(rows);
  }

  /** Versions of the column that satisfy the condition, by row and then newest first. */
  List<ValueHit> hits(Column column, Predicate<byte[]> condition) {
    return hits(column, condition, row -> true);
  }

  List<ValueHit> hits(Column column, Predicate<byte[]> condition, Predicate<Result> row) {
    List<ValueHit> hits = new ArrayList<>();
    for (Result each : rows) {
      for (Cell cell : each.getColumnCells(column.family(), column.qualifier())) {
        byte[] value = CellUtil.cloneValue(cell);
        if (condition.test(value) && row.test(each)) {
          hits.add(new ValueHit(each.getRow(), value, cell.getTimestamp(), Result.EMPTY_RESULT));
        }
      }
    }
    return hits;
  }

  static Predicate<Result> newest(Column column, Predicate<byte[]> condition) {
    return row ->
        Optional.ofNullable(row.getValue(column.family(), column.qualifier()))
            .filter(condition)
            .isPresent();
  }
}
