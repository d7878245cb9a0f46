package io.deli.coprocessor.internal.send;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Timer;

/** Metrics of the indexes that a region server maintains. Thread-safe. */
public final class ServerMaintenanceMetrics {
  private final Timer waits;
  private final Counter waited;
  private final Counter waiting;
  private final Counter acknowledged;
  private final Counter refused;
  private final Counter late;

  ServerMaintenanceMetrics(Function<String, Counter> counters, Function<String, Timer> timers) {
    waits = timers.apply("servedWait");
    waited = counters.apply("servedWaitMicros");
    waiting = counters.apply("servedHandlersWaiting");
    acknowledged = counters.apply("servedEntriesAcknowledged");
    refused = counters.apply("servedRequestsRefused");
    late = counters.apply("servedEntriesLate");
  }

  /** A handler that begins to wait for entries; to be followed by {@link #waited}. */
  public void waits() {
    waiting.increment();
  }

  /** Its wait is over. */
  public void waited(long nanos) {
    waiting.decrement();
    waits.update(nanos, TimeUnit.NANOSECONDS);
    waited.increment(TimeUnit.NANOSECONDS.toMicros(nanos));
  }

  public void acknowledged(int entries) {
    acknowledged.increment(entries);
  }

  /** A request that was not carried out, for want of its entries. */
  public void refused() {
    refused.increment();
  }

  /** Entries that were written again, for their write took so long. */
  public void late(int entries) {
    late.increment(entries);
  }
}
