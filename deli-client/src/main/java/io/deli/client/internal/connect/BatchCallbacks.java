package io.deli.client.internal.connect;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells an application's callback of the answers to a batch. What the callback throws is logged, as
 * HBase does: the operations are done, whatever becomes of the news.
 */
public final class BatchCallbacks<R> {
  private static final Logger LOG = LoggerFactory.getLogger(BatchCallbacks.class);

  private final RegionLocator locator;
  private final Batch.Callback<R> callback;

  public BatchCallbacks(RegionLocator locator, Batch.Callback<R> callback) {
    this.locator = locator;
    this.callback = callback;
  }

  /**
   * Tells of those that succeeded.
   *
   * @param answers a result, a failure, or null if there is none, in the order of the operations
   */
  @SuppressWarnings("unchecked") // which type it is, the caller says
  public void tell(List<? extends Row> operations, Object[] answers) {
    for (int i = 0; i < operations.size(); i++) {
      if (answers[i] != null && !(answers[i] instanceof Throwable)) {
        tell(operations.get(i).getRow(), (R) answers[i]);
      }
    }
  }

  private void tell(byte[] row, R answer) {
    try {
      callback.update(region(row), row, answer);
    } catch (RuntimeException | Error e) {
      LOG.error("a callback failed", e);
    }
  }

  /** Its name; empty if it cannot be found now. */
  private byte[] region(byte[] row) {
    try {
      return locator.getRegionLocation(row).getRegion().getRegionName();
    } catch (IOException e) {
      if (e instanceof InterruptedIOException) {
        Thread.currentThread().interrupt();
      }
      LOG.warn("the region of an answer is not known", e);
      return HConstants.EMPTY_BYTE_ARRAY;
    }
  }
}
