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

/**
 * One application: a connection, a clock, and rows that its threads write one at a time.
 *
 * @param free rows that no thread writes now: more than all take at a time, so that each finds some
 */
public record Client(DeliConnection connection, TableName name, Clock clock, List<String> free)
    implements AutoCloseable {
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

  public Client {
    free = new ArrayList<>(free);
  }

  DeliTable table() throws IOException {
    return connection.getTable(name);
  }

  AsyncDeliTable asyncTable() throws IOException {
    return connection.getAsyncTable(name);
  }

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
