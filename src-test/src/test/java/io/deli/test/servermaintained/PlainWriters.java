package io.deli.test.servermaintained;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writers that know nothing of indexes, on few rows, by every operation that HBase's client has.
 *
 * @param computing whether HBase may compute values of the column; not where clients maintain an
 *     index of it
 */
record PlainWriters(ServedTable served, long seed, boolean computing) {
  private static final int ROWS = 12;
  private static final int VALUES = 5;
  private static final int MOST_TOGETHER = 8;

  /** Writes from several threads; fails if one write does. */
  void run(int writers, int operations) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(writers);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        Random random = new Random(seed + i);
        tasks.add(
            () -> {
              try (Table table = served.table()) {
                for (int n = 0; n < operations; n++) {
                  write(table, random);
                }
              }
              return null;
            });
      }
      for (Future<Void> done : pool.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private void write(Table table, Random random) throws Exception {
    switch (random.nextInt(8)) {
      case 0 -> table.put(anyPut(random));
      case 1 -> table.put(puts(random));
      case 2 -> {
        List<Row> batch = new ArrayList<>(puts(random));
        batch.add(delete(random, anyRow(random)));
        batch.add(atomic(random));
        batch.add(new Increment(anyRow(random)).addColumn(FAMILY, Bytes.toBytes("n"), 1));
        batch.add(computed(random, anyRow(random)));
        table.batch(batch, new Object[batch.size()]);
      }
      case 3 -> table.mutateRow(atomic(random));
      case 4 -> table.checkAndMutate(conditional(random));
      case 5 -> table.delete(delete(random, anyRow(random)));
      case 6 -> table.batch(List.of(computed(random, anyRow(random))), new Object[1]);
      default -> table.put(at(random, anyRow(random)));
    }
  }

  private CheckAndMutate conditional(Random random) throws IOException {
    RowMutations action = atomic(random);
    return CheckAndMutate.newBuilder(action.getRow())
        .ifEquals(FAMILY, QUALIFIER, value(random))
        .build(action);
  }

  private RowMutations atomic(Random random) throws IOException {
    byte[] row = anyRow(random);
    return new RowMutations(row)
        .add(
            List.of(
                random.nextInt(3) == 0
                    ? computed(random, row)
                    : new Put(row).addColumn(FAMILY, QUALIFIER, value(random)),
                new Delete(row).addColumns(FAMILY, OTHER)));
  }

  /** Returns an Append, or the Put of a value where a client refuses Appends. */
  private Mutation computed(Random random, byte[] row) {
    return computing
        ? new Append(row).addColumn(FAMILY, QUALIFIER, value(random))
        : new Put(row).addColumn(FAMILY, QUALIFIER, value(random));
  }

  private static List<Put> puts(Random random) {
    List<Put> puts = new ArrayList<>();
    for (int i = random.nextInt(MOST_TOGETHER); i >= 0; i--) {
      puts.add(anyPut(random));
    }
    return puts;
  }

  private static Put anyPut(Random random) {
    Put put = new Put(anyRow(random)).addColumn(FAMILY, OTHER, value(random));
    return random.nextInt(4) == 0 ? put : put.addColumn(FAMILY, QUALIFIER, value(random));
  }

  /** At one of few timestamps, so that the same version is written again. */
  private static Put at(Random random, byte[] row) {
    return new Put(row).addColumn(FAMILY, QUALIFIER, 1 + random.nextInt(3), value(random));
  }

  private static Delete delete(Random random, byte[] row) {
    Delete delete = new Delete(row);
    return switch (random.nextInt(4)) {
      case 0 -> delete;
      case 1 -> delete.addColumns(FAMILY, QUALIFIER);
      case 2 -> delete.addColumn(FAMILY, QUALIFIER);
      default -> delete.addColumn(FAMILY, QUALIFIER, 1 + random.nextInt(3));
    };
  }

  private static byte[] anyRow(Random random) {
    return put("r" + (char) ('a' + random.nextInt(ROWS)), "").getRow();
  }

  private static byte[] value(Random random) {
    return Bytes.toBytes("v" + random.nextInt(VALUES));
  }
}
