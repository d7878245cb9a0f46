package io.deli.client.internal.write;

import io.deli.config.DeliSettings;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * The time limits and checks of a write.
 *
 * @param lateNanos a write that takes longer may have lost its entries to read repair
 * @param retryNanos an answer that comes sooner is that of the only request, for HBase's client
 *     waits so long before it sends an operation again
 * @param leaseNanos definitions that were older when the answer came are looked at again
 * @param puts what a Put must satisfy
 */
public record WriteRules(long lateNanos, long retryNanos, long leaseNanos, PutRules puts) {
  /** HBase's limit of one cell, in bytes; none if it is not positive. */
  public static final String MAX_KEYVALUE_SIZE = "hbase.client.keyvalue.maxsize";

  private static final int DEFAULT_MAX_KEYVALUE_SIZE = 10 << 20;

  public static WriteRules of(Configuration configuration) {
    return new WriteRules(
        TimeUnit.MILLISECONDS.toNanos(DeliSettings.REPAIR_GRACE.get(configuration)) / 2,
        TimeUnit.MILLISECONDS.toNanos(
            configuration.getLong(
                HConstants.HBASE_CLIENT_PAUSE, HConstants.DEFAULT_HBASE_CLIENT_PAUSE)),
        TimeUnit.MILLISECONDS.toNanos(DeliSettings.DEFINITIONS_LEASE.get(configuration)),
        new PutRules(configuration.getInt(MAX_KEYVALUE_SIZE, DEFAULT_MAX_KEYVALUE_SIZE)));
  }

  /** Returns the rules for a client of HBase's that waits for another time. */
  public WriteRules withRetryNanos(long nanos) {
    return new WriteRules(lateNanos, nanos, leaseNanos, puts);
  }
}
