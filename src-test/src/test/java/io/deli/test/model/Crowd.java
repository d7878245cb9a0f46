package io.deli.test.model;

import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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

  private Put put(int row, Random random) {
    return new Put(key(row)).addColumn(column.family(), column.qualifier(), value(random));
  }

  /** One write of a random kind; every other one goes to one of three rows. */
  void write(Table table, Random random) throws IOException, InterruptedException {
    int row = random.nextBoolean() ? random.nextInt(3) : random.nextInt(ROWS);
    int other = (row + 1 + random.nextInt(ROWS - 1)) % ROWS;
    boolean batch = random.nextInt(5) == 0;
    begun.incrementAndGet(row);
    begun.incrementAndGet(other);
    if (batch) {
      List<Row> all = List.of(put(row, random), put(other, random), put(row, random));
      table.batch(all, new Object[all.size()]);
    } else {
      writeOne(table, row, random);
    }
    ended.incrementAndGet(row);
    ended.incrementAndGet(other);
    writes.incrementAndGet();
  }

  private void writeOne(Table table, int row, Random random) throws IOException {
    byte[] family = column.family();
    byte[] qualifier = column.qualifier();
    switch (random.nextInt(8)) {
      case 0 -> table.delete(new Delete(key(row)).addColumns(family, qualifier));
      case 1 -> table.delete(new Delete(key(row)));
      case 2 ->
          table.checkAndMutate(
              CheckAndMutate.newBuilder(key(row))
                  .ifEquals(family, qualifier, value(random))
                  .build(put(row, random)));
      default -> table.put(put(row, random));
    }
  }

  /** Looks for the value of a row that nobody writes meanwhile, and for one that it has not. */
  void check(Table plain, DeliTable table, String index, Random random) throws IOException {
    int row = random.nextInt(ROWS);
    // The order matters: what has ended by now and not begun since was over all the time.
    int before = ended.get(row);
    byte[] value = plain.get(new Get(key(row))).getValue(column.family(), column.qualifier());
    byte[] wanted = value == null || random.nextInt(4) == 0 ? value(random) : value;
    List<ValueHit> hits = new ArrayList<>();
    try (ValueScanner scanner = table.readValue(ValueQuery.on(index).equalTo(wanted))) {
      scanner.forEach(hits::add);
    }
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
