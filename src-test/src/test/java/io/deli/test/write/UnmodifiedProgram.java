package io.deli.test.write;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** An HBase application as it was before anybody thought of indexes. */
final class UnmodifiedProgram {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] USER = Bytes.toBytes("q");

  private UnmodifiedProgram() {}

  static void run(Configuration configuration, TableName name) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(name);
        BufferedMutator mutator = connection.getBufferedMutator(name)) {
      for (int i = 0; i < 20; i++) {
        byte[] row = Bytes.toBytes("row" + i);
        table.put(new Put(row).addColumn(FAMILY, USER, Bytes.toBytes("user" + i % 3)));
        mutator.mutate(
            new Put(Bytes.add(row, row)).addColumn(FAMILY, USER, Bytes.toBytes("user" + i % 3)));
      }
      table.delete(new Delete(Bytes.toBytes("row7")));
      // An application may well open its next connection from this one's configuration.
      try (Connection second = ConnectionFactory.createConnection(connection.getConfiguration());
          Table again = second.getTable(name)) {
        again.put(new Put(Bytes.toBytes("row8")).addColumn(FAMILY, USER, Bytes.toBytes("other")));
      }
    }
  }
}
