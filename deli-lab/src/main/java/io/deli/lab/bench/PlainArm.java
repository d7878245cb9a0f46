package io.deli.lab.bench;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/** HBase's own client, which knows of no index. */
record PlainArm(String name, Connection connection, TableName rows) implements Arm {
  /** On a table without an index: the yardstick. */
  static PlainArm unindexed(Connection connection) {
    return new PlainArm("plain", connection, BenchTables.PLAIN);
  }

  /** Where region servers maintain the index. */
  static PlainArm served(Connection connection) {
    return new PlainArm("served", connection, BenchTables.SERVED);
  }

  @Override
  public Session open() throws IOException {
    Table table = connection.getTable(rows);
    return new Session() {
      @Override
      public void write(List<Put> puts) throws IOException {
        put(table, puts);
      }

      @Override
      public int lookup(byte[] value) {
        throw new UnsupportedOperationException("plain HBase has no lookup by value");
      }

      @Override
      public void close() throws IOException {
        table.close();
      }
    };
  }

  /** One put goes as such, since that is what it is compared with. */
  static void put(Table table, List<Put> puts) throws IOException {
    if (puts.size() == 1) {
      table.put(puts.get(0));
    } else {
      table.put(puts);
    }
  }
}
