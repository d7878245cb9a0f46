package io.deli.test.hbase;

import io.deli.client.TimestampOracle;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * The clock that HBase's tests give to the servers in their JVM, made strictly increasing. Some set
 * one that never tells a time twice and so runs ahead of the system's, while DELI asks that clocks
 * of clients and servers agree. Named by {@code deli.oracle.class}.
 */
public final class ServersClock implements TimestampOracle {
  private final AtomicLong last = new AtomicLong();

  @Override
  public long next(byte[] row) {
    return last.accumulateAndGet(
        EnvironmentEdgeManager.currentTime(), (previous, now) -> Math.max(previous + 1, now));
  }
}
