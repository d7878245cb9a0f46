package io.deli.lab.torture;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.TimestampOracle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

/** One application: a connection, a clock, and rows that its threads write one at a time. */
public final class Client implements AutoCloseable {
  private final DeliConnection connection;
  private final TableName name;
  private final Clock clock;

  /** More rows than all threads take at a time, so that each finds some. */
  private final List<String> free;

  /**
   * The clock of one client, which may go wrong, and what was drawn from it. A client writes a row
   * by one thread at a time, so that each draw is known by its row. Thread-safe.
   */
  public static final class Clock implements TimestampOracle {
    private final long aheadMillis;
    private final AtomicLong last = new AtomicLong();
    private final Map<String, Long> drawn = new ConcurrentHashMap<>();

    public Clock(long aheadMillis) {
      this.aheadMillis = aheadMillis;
    }

    @Override
    public long next(byte[] row) {
      long timestamp = last.updateAndGet(before -> Math.max(before + 1, millis()));
      drawn.put(Bytes.toString(row), timestamp);
      return timestamp;
    }

    long millis() {
      return System.currentTimeMillis() + aheadMillis;
    }

    /** Takes the timestamp that was drawn for a row; none if the write did not get that far. */
    Optional<Long> take(String row) {
      return Optional.ofNullable(drawn.remove(row));
    }
  }

  Client(DeliConnection connection, TableName name, Clock clock, List<String> rows) {
    this.connection = connection;
    this.name = name;
    this.clock = clock;
    this.free = new ArrayList<>(rows);
  }

  DeliConnection connection() {
    return connection;
  }

  Clock clock() {
    return clock;
  }

  DeliTable table() throws IOException {
    return connection.getTable(name);
  }

  AsyncDeliTable asyncTable() throws IOException {
    return connection.getAsyncTable(name);
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
