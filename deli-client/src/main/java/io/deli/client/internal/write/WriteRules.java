package io.deli.client.internal.write;

import io.deli.config.DeliSettings;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * Bounds of a write.
 *
 * @param lateNanos a write that takes longer may have lost its entries to read repair
 * @param puts what a Put must satisfy
 */
public record WriteRules(long lateNanos, PutRules puts) {
  private static final String MAX_KEYVALUE_SIZE = "hbase.client.keyvalue.maxsize";
  private static final int DEFAULT_MAX_KEYVALUE_SIZE = 10 << 20;

  public static WriteRules of(Configuration configuration) {
    return new WriteRules(
        TimeUnit.MILLISECONDS.toNanos(DeliSettings.REPAIR_GRACE.get(configuration)) / 2,
        new PutRules(configuration.getInt(MAX_KEYVALUE_SIZE, DEFAULT_MAX_KEYVALUE_SIZE)));
  }

  /** The same with another limit. */
  public WriteRules withMaxKeyValueSize(int bytes) {
    return new WriteRules(lateNanos, new PutRules(bytes));
  }
}
