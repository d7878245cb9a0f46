package io.deli.lab.torture;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;

/**
 * One application: a connection, a clock and threads.
 *
 * @param locks rows that its threads are writing
 */
record Client(DeliConnection connection, TableName name, ClientClock clock, BusyRows locks)
    implements AutoCloseable {
  DeliTable table() throws IOException {
    return connection.getTable(name);
  }

  AsyncDeliTable asyncTable() throws IOException {
    return connection.getAsyncTable(name);
  }

  /** After so long HBase's client sends a request again whose answer was lost. */
  long retryNanos() {
    return TimeUnit.MILLISECONDS.toNanos(
        connection
            .getConfiguration()
            .getLong(HConstants.HBASE_CLIENT_PAUSE, HConstants.DEFAULT_HBASE_CLIENT_PAUSE));
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
