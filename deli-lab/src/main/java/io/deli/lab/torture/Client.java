package io.deli.lab.torture;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/** One application: a connection, a clock, and rows that its threads write one at a time. */
public final class Client implements AutoCloseable {
  private final DeliConnection connection;
  private final TableName name;
  private final ClientClock clock;

  /** More rows than all threads take at a time, so that each finds some. */
  private final List<String> free;

  Client(DeliConnection connection, TableName name, ClientClock clock, List<String> rows) {
    this.connection = connection;
    this.name = name;
    this.clock = clock;
    this.free = new ArrayList<>(rows);
  }

  ClientClock clock() {
    return clock;
  }

  DeliTable table() throws IOException {
    return connection.getTable(name);
  }

  AsyncDeliTable asyncTable() throws IOException {
    return connection.getAsyncTable(name);
  }

  long retryNanos() {
    return retryNanos(connection);
  }

  /** After so long HBase's client sends a request again whose answer was lost. */
  public static long retryNanos(Connection connection) {
    return TimeUnit.MILLISECONDS.toNanos(
        connection
            .getConfiguration()
            .getLong(HConstants.HBASE_CLIENT_PAUSE, HConstants.DEFAULT_HBASE_CLIENT_PAUSE));
  }

  /** Takes some rows that no thread is writing. */
  synchronized List<String> take(int count, Random random) throws InterruptedException {
    while (free.size() < count) {
      wait();
    }
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chosen.add(free.remove(random.nextInt(free.size())));
    }
    return chosen;
  }

  synchronized void release(List<String> chosen) {
    free.addAll(chosen);
    notifyAll();
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
