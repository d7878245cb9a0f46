package io.deli.lab.bench;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;

/** DELI's own strategy. */
record DeferredArm(DeliConnection connection) implements Arm {
  @Override
  public String name() {
    return "deferred";
  }

  @Override
  public Session open() throws IOException {
    DeliTable table = connection.getTable(BenchTables.DEFERRED);
    return new Session() {
      @Override
      public void write(List<Put> puts) throws IOException {
        PlainArm.put(table, puts);
      }

      @Override
      public int lookup(byte[] value) throws IOException {
        int hits = 0;
        try (ValueScanner scanner =
            table.readValue(ValueQuery.on(BenchTables.INDEX).equalTo(value))) {
          while (scanner.next().isPresent()) {
            hits++;
          }
        }
        return hits;
      }

      @Override
      public void close() throws IOException {
        table.close();
      }
    };
  }
}
