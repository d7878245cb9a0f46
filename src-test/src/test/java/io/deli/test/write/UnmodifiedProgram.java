package io.deli.test.write;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** An HBase application as it was before anybody thought of indexes. */
final class UnmodifiedProgram {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] USER = Bytes.toBytes("q");
  private static final byte[] TIME = Bytes.toBytes("t");
  private static final byte[] STATE = Bytes.toBytes("s");
  private static final byte[] COUNT = Bytes.toBytes("n");

  private UnmodifiedProgram() {}

  static void run(Configuration configuration, TableName name) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(name);
        BufferedMutator mutator = connection.getBufferedMutator(name)) {
      for (int i = 0; i < 20; i++) {
        byte[] row = Bytes.toBytes("row" + i);
        table.put(put(row, i, "user" + i % 3));
        mutator.mutate(put(Bytes.add(row, row), i, "user" + i % 3));
      }
      table.delete(new Delete(Bytes.toBytes("row7")));
      // An application may well open its next connection from this one's configuration.
      try (Connection second = ConnectionFactory.createConnection(connection.getConfiguration());
          Table again = second.getTable(name)) {
        again.put(put(Bytes.toBytes("row8"), 8, "other"));
      }
    }
  }

  private static Put put(byte[] row, long time, String user) {
    return new Put(row)
        .addColumn(FAMILY, USER, Bytes.toBytes(user))
        .addColumn(FAMILY, TIME, Bytes.toBytes(time))
        .addColumn(FAMILY, STATE, Bytes.toBytes(time % 2 == 0 ? "open" : "closed"));
  }

  /** Counts in a column, the first ten rows twice. */
  static void count(Configuration configuration, TableName name) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(name)) {
      for (int i = 0; i < 30; i++) {
        table.increment(new Increment(Bytes.toBytes("row" + i % 20)).addColumn(FAMILY, COUNT, 1));
      }
    }
  }
}
