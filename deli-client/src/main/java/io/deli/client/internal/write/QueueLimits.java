package io.deli.client.internal.write;

import io.deli.config.DeliSettings;
import org.apache.hadoop.conf.Configuration;

/**
 * The limits of a server queue.
 *
 * @param direct operations in flight up to which each is sent alone
 * @param combined combined requests in flight at most
 * @param operations operations in one combined request at most
 * @param bytes heap size of the operations in one combined request, about
 */
record QueueLimits(int direct, int combined, int operations, long bytes) {
  /** HBase's own limit of one request of its blocking client. */
  private static final String REQUEST_HEAPSIZE = "hbase.client.max.perrequest.heapsize";

  static QueueLimits of(Configuration configuration) {
    return new QueueLimits(
        DeliSettings.WRITE_DIRECT.get(configuration),
        DeliSettings.WRITE_COMBINED.get(configuration),
        DeliSettings.WRITE_BATCH.get(configuration),
        configuration.getLong(REQUEST_HEAPSIZE, 4L << 20));
  }
}
