package io.deli.test.model;

import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.lab.judge.CallHistory;
import io.deli.lab.judge.QueryCondition;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.RowQuery;
import io.deli.lab.judge.Ruling;
import io.deli.lab.judge.Span;
import io.deli.lab.judge.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writers and readers of a few rows. It counts the writes begun and ended on each row, so that a
 * reader knows whether any write was under way while it looked.
 */
final class Crowd {
  private static final int ROWS = 24;
  private static final int VALUES = 6;

  private final Column column;
  private final AtomicIntegerArray begun = new AtomicIntegerArray(ROWS);
  private final AtomicIntegerArray ended = new AtomicIntegerArray(ROWS);
  private final CallHistory calls = new CallHistory();
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger checks = new AtomicInteger();

  Crowd(Column column) {
    this.column = column;
  }

  int writes() {
    return writes.get();
  }

  int checks() {
    return checks.get();
  }

  private static byte[] key(int row) {
    return Bytes.toBytes("row" + row);
  }

  private static byte[] value(Random random) {
    return Bytes.toBytes("v" + random.nextInt(VALUES));
  }

  /** What the checkers of rows and queries say, for whom a row may be written all the time. */
  Ruling ruling() {
    return calls.ruling(1);
  }

  private Put put(int row, byte[] value) {
    return new Put(key(row)).addColumn(column.family(), column.qualifier(), value);
  }

  private Step written(byte[] value) {
    return new Step.Write(Map.of(column.toString(), Bytes.toString(value)));
  }

  private void enter(int row, long begun, Step step) {
    calls.add(RowOperation.write("row" + row, new Span(begun, System.nanoTime()), step));
  }

  /** One write of a random kind; every other one goes to one of three rows. */
  void write(Table table, Random random) throws IOException, InterruptedException {
    int row = random.nextBoolean() ? random.nextInt(3) : random.nextInt(ROWS);
    int other = (row + 1 + random.nextInt(ROWS - 1)) % ROWS;
    boolean batch = random.nextInt(5) == 0;
    begun.incrementAndGet(row);
    begun.incrementAndGet(other);
    long since = System.nanoTime();
    if (batch) {
      byte[][] values = {value(random), value(random), value(random)};
      List<Row> all = List.of(put(row, values[0]), put(other, values[1]), put(row, values[2]));
      table.batch(all, new Object[all.size()]);
      enter(row, since, written(values[0]));
      enter(other, since, written(values[1]));
      enter(row, since, written(values[2]));
    } else {
      writeOne(table, row, random, since);
    }
    ended.incrementAndGet(row);
    ended.incrementAndGet(other);
    writes.incrementAndGet();
  }

  private void writeOne(Table table, int row, Random random, long since) throws IOException {
    byte[] family = column.family();
    byte[] qualifier = column.qualifier();
    byte[] value = value(random);
    switch (random.nextInt(8)) {
      case 0 -> {
        table.delete(new Delete(key(row)).addColumns(family, qualifier));
        enter(row, since, new Step.Removal(Step.Scope.ALL, Set.of(column.toString()), ""));
      }
      case 1 -> {
        table.delete(new Delete(key(row)));
        enter(row, since, new Step.Removal(Step.Scope.ALL, Set.of(), ""));
      }
      case 2 -> {
        byte[] wanted = value(random);
        boolean held =
            table
                .checkAndMutate(
                    CheckAndMutate.newBuilder(key(row))
                        .ifEquals(family, qualifier, wanted)
                        .build(put(row, value)))
                .isSuccess();
        RowOperation.Test test =
            new RowOperation.Test(column.toString(), Optional.of(Bytes.toString(wanted)));
        Span span = new Span(since, System.nanoTime());
        calls.add(RowOperation.write("row" + row, span, written(value)).provided(test, held));
      }
      default -> {
        table.put(put(row, value));
        enter(row, since, written(value));
      }
    }
  }

  private byte[] get(Table plain, int row) throws IOException {
    long since = System.nanoTime();
    byte[] value = plain.get(new Get(key(row))).getValue(column.family(), column.qualifier());
    Span span = new Span(since, System.nanoTime());
    Optional<String> seen = Optional.ofNullable(value).map(Bytes::toString);
    calls.add(RowOperation.get("row" + row, span, Map.of(column.toString(), seen)));
    return value;
  }

  private List<ValueHit> query(DeliTable table, String index, byte[] wanted) throws IOException {
    List<ValueHit> hits = new ArrayList<>();
    List<RowQuery.Hit> taken = new ArrayList<>();
    long since = System.nanoTime();
    try (ValueScanner scanner = table.readValue(ValueQuery.on(index).equalTo(wanted))) {
      for (ValueHit hit : scanner) {
        hits.add(hit);
        taken.add(
            new RowQuery.Hit(
                Bytes.toString(hit.row()), Bytes.toString(hit.value()), System.nanoTime()));
      }
    }
    Span span = new Span(since, System.nanoTime());
    QueryCondition condition = QueryCondition.equal(column.toString(), Bytes.toString(wanted));
    calls.add(new RowQuery("index " + index, condition, taken, span, Optional.empty()));
    return hits;
  }

  /** Looks for the value of a row that nobody writes meanwhile, and for one that it has not. */
  void check(Table plain, DeliTable table, String index, Random random) throws IOException {
    int row = random.nextInt(ROWS);
    // The order matters: what has ended by now and not begun since was over all the time.
    int before = ended.get(row);
    byte[] value = get(plain, row);
    byte[] wanted = value == null || random.nextInt(4) == 0 ? value(random) : value;
    List<ValueHit> hits = query(table, index, wanted);
    long found = hits.stream().filter(hit -> Arrays.equals(hit.row(), key(row))).count();
    long expected = Arrays.equals(wanted, value) ? 1 : 0;
    if (begun.get(row) != before) {
      return;
    }
    checks.incrementAndGet();
    if (found != expected) {
      throw new AssertionError(
          "row%d has '%s', nobody writes to it, and a query of '%s' for '%s' finds it %d times: %s"
              .formatted(
                  row,
                  value == null ? "nothing" : Bytes.toString(value),
                  index,
                  Bytes.toString(wanted),
                  found,
                  hits));
    }
  }
}
