package io.deli.test.write;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** An asynchronous HBase application as it was before anybody thought of indexes. */
final class UnmodifiedAsyncProgram {
  static final int ROWS = 60;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] USER = Bytes.toBytes("q");

  private UnmodifiedAsyncProgram() {}

  private static Put put(String way, int i) {
    return new Put(Bytes.toBytes(way + i)).addColumn(FAMILY, USER, Bytes.toBytes("user" + i % 3));
  }

  /** Writes and deletes by every way to a table; leaves so many rows. */
  static void run(Configuration configuration, TableName name) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(configuration).get(1, TimeUnit.MINUTES)) {
      List<AsyncTable<?>> tables =
          List.of(
              connection.getTable(name),
              connection.getTable(name, pool),
              connection.getTableBuilder(name).setMaxAttempts(9).build(),
              connection.getTableBuilder(name, pool).setMaxAttempts(9).build());
      List<AsyncBufferedMutator> mutators =
          List.of(
              connection.getBufferedMutator(name),
              connection.getBufferedMutatorBuilder(name, pool).setMaxMutations(3).build());
      List<CompletableFuture<?>> answers = new ArrayList<>();
      for (int i = 0; i < ROWS / 6; i++) {
        for (int way = 0; way < tables.size(); way++) {
          answers.add(tables.get(way).put(put("table" + way + "-", i)));
        }
        for (int way = 0; way < mutators.size(); way++) {
          answers.add(mutators.get(way).mutate(put("mutator" + way + "-", i)));
        }
      }
      mutators.forEach(AsyncBufferedMutator::close);
      CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
      tables.get(1).delete(new Delete(Bytes.toBytes("table1-7"))).get(1, TimeUnit.MINUTES);
      // An application may well open its next connection from this one's configuration.
      try (AsyncConnection second =
          ConnectionFactory.createAsyncConnection(tables.get(0).getConfiguration())
              .get(1, TimeUnit.MINUTES)) {
        second.getTable(name).put(put("table1-", 7)).get(1, TimeUnit.MINUTES);
      }
    } finally {
      pool.shutdown();
    }
  }
}
