package io.deli.tools.bench;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/** HBase without an index: the yardstick. */
record PlainArm(Connection connection) implements Arm {
  @Override
  public String name() {
    return "plain";
  }

  @Override
  public Session open() throws IOException {
    Table table = connection.getTable(BenchTables.PLAIN);
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
