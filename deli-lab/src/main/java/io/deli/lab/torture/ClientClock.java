package io.deli.lab.torture;

import io.deli.client.TimestampOracle;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The clock of one client, which may go wrong, and what was drawn from it. A client writes a row by
 * one thread at a time, so that each draw is known by its row. Thread-safe.
 */
public final class ClientClock implements TimestampOracle {
  private final long aheadMillis;
  private final AtomicLong last = new AtomicLong();
  private final Map<String, Long> drawn = new ConcurrentHashMap<>();

  public ClientClock(long aheadMillis) {
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
