package io.deli.coprocessor.internal.send;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.TableName;

/**
 * Tables of indexes that did not answer in time. Until one does, only an occasional write tries it,
 * so that it does not occupy the handlers that may wait. Thread-safe.
 */
public final class UnresponsiveIndexes {
  private final LongSupplier nanos;
  private final Map<TableName, Long> tried = new ConcurrentHashMap<>();

  /**
   * @param nanos as {@link System#nanoTime}
   */
  UnresponsiveIndexes(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Whether to send to a table; if it is unresponsive, only when so much time has passed. */
  public boolean mayTry(TableName index, long pauseNanos) {
    Long last = tried.get(index);
    if (last == null) {
      return true;
    }
    long now = nanos.getAsLong();
    return now - last >= pauseNanos && tried.replace(index, last, now);
  }

  public void answered(TableName index) {
    tried.remove(index);
  }

  public void timedOut(TableName index) {
    tried.put(index, nanos.getAsLong());
  }
}
