package io.deli.tools.torture;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;

/**
 * One application: a connection, a clock and threads.
 *
 * @param locks rows that its threads are writing
 */
record Client(DeliConnection connection, TableName name, ClientClock clock, RowLocks locks)
    implements AutoCloseable {
  DeliTable table() throws IOException {
    return connection.getTable(name);
  }

  AsyncDeliTable asyncTable() throws IOException {
    return connection.getAsyncTable(name);
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
