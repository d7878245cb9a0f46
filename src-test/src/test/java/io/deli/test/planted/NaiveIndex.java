package io.deli.test.planted;

import io.deli.index.Column;
import io.deli.lab.judge.QueryCondition;
import io.deli.lab.judge.RowQuery.Hit;
import io.deli.lab.torture.ContendedRows;
import io.deli.lab.torture.QuerySource;
import io.deli.test.fault.Proxies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An index of {@link ContendedRows} on plain HBase: an entry for each Put, written before it with
 * its timestamp; a reader believes an entry if it has the timestamp of the row's newest version. An
 * {@code or} gives the rows of its first half, then those of the other that do not satisfy the
 * first half now.
 */
final class NaiveIndex implements QuerySource {
  private static final byte[] FAMILY = ContendedRows.A.family();
  private static final List<Column> INDEXED = List.of(ContendedRows.A, ContendedRows.B);

  private final Table base;
  private final Table entries;
  private final AtomicLong clock = new AtomicLong();

  NaiveIndex(Table base, Table entries) {
    this.base = base;
    this.entries = entries;
  }

  /** The base table for writers, whose Puts are indexed. */
  Table indexed() {
    return Proxies.of(
        Table.class,
        (proxy, called, arguments) -> {
          if (called.getName().equals("put") && arguments[0] instanceof Put put) {
            put(put);
            return null;
          }
          return Proxies.call(base, called, arguments);
        });
  }

  private void put(Put put) throws IOException {
    long timestamp = clock.updateAndGet(last -> Math.max(last + 1, System.currentTimeMillis()));
    Put stamped = new Put(put.getRow());
    for (Cell cell : put.getFamilyCellMap().get(FAMILY)) {
      byte[] qualifier = CellUtil.cloneQualifier(cell);
      byte[] value = CellUtil.cloneValue(cell);
      String entry =
          "%s|%s|%s"
              .formatted(
                  Bytes.toString(qualifier), Bytes.toString(value), Bytes.toString(put.getRow()));
      entries.put(
          new Put(Bytes.toBytes(entry)).addColumn(FAMILY, new byte[0], timestamp, new byte[0]));
      stamped.addColumn(FAMILY, qualifier, timestamp, value);
    }
    base.put(stamped);
  }

  @Override
  public void query(QueryCondition condition, HitOrder order, Consumer<Hit> taken)
      throws IOException {
    List<Hit> hits = new ArrayList<>();
    find(condition, hits);
    hits.forEach(taken);
  }

  private void find(QueryCondition condition, List<Hit> hits) throws IOException {
    if (condition instanceof QueryCondition.Either either) {
      find(either.one(), hits);
      List<Hit> others = new ArrayList<>();
      find(either.other(), others);
      for (Hit hit : others) {
        if (!accepts(either.one(), base.get(new Get(Bytes.toBytes(hit.row()))))) {
          hits.add(hit);
        }
      }
    } else if (condition instanceof QueryCondition.Both both) {
      List<Hit> first = new ArrayList<>();
      find(both.one(), first);
      for (Hit hit : first) {
        if (accepts(both.other(), base.get(new Get(Bytes.toBytes(hit.row()))))) {
          hits.add(hit);
        }
      }
    } else if (condition instanceof QueryCondition.Prefix prefix) {
      scan(prefix.column(), prefix.prefix(), prefix.prefix() + "~", hits);
    } else {
      QueryCondition.Between between = (QueryCondition.Between) condition;
      scan(between.column(), between.low() + "|", between.high() + "|~", hits);
    }
  }

  private void scan(String name, String low, String high, List<Hit> hits) throws IOException {
    Column column = Column.parse(name);
    String qualifier = Bytes.toString(column.qualifier()) + "|";
    Scan scan =
        new Scan()
            .withStartRow(Bytes.toBytes(qualifier + low))
            .withStopRow(Bytes.toBytes(qualifier + high))
            .readAllVersions();
    try (ResultScanner scanner = entries.getScanner(scan)) {
      for (Result entry : scanner) {
        String[] parts = Bytes.toString(entry.getRow()).split("\\|", -1);
        Cell newest =
            base.get(new Get(Bytes.toBytes(parts[2])))
                .getColumnLatestCell(column.family(), column.qualifier());
        for (Cell version : entry.rawCells()) {
          if (newest != null && version.getTimestamp() == newest.getTimestamp()) {
            hits.add(new Hit(parts[2], parts[1], System.nanoTime()));
          }
        }
      }
    }
  }

  private static boolean accepts(QueryCondition condition, Result row) {
    return condition.accepts(contents(row), false);
  }

  static Map<String, Optional<String>> contents(Result row) {
    Map<String, Optional<String>> contents = new HashMap<>();
    for (Column column : INDEXED) {
      contents.put(
          column.toString(),
          Optional.ofNullable(row.getValue(column.family(), column.qualifier()))
              .map(Bytes::toString));
    }
    return contents;
  }
}
