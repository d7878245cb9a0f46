package io.deli.client.internal.connect;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.util.ExceptionUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the answers to a batch to an application's callback. What the callback throws is logged,
 * as HBase does, since the operations are done.
 */
public record BatchCallbacks<R>(RegionLocator locator, Batch.Callback<R> callback) {
  private static final Logger LOG = LoggerFactory.getLogger(BatchCallbacks.class);

  /**
   * Calls back for each operation that succeeded.
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
      LOG.error("A batch callback failed", e);
    }
  }

  /** Returns the name of the row's region; empty if it cannot be located. */
  private byte[] region(byte[] row) {
    try {
      return locator.getRegionLocation(row).getRegion().getRegionName();
    } catch (IOException e) {
      if (ExceptionUtil.isInterrupt(e)) {
        Thread.currentThread().interrupt();
      }
      LOG.warn("Could not locate the region of an answer", e);
      return HConstants.EMPTY_BYTE_ARRAY;
    }
  }
}
