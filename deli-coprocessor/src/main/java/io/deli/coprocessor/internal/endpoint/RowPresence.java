package io.deli.coprocessor.internal.endpoint;

import io.deli.coprocessor.spi.Caller;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Tells whether a region has rows, by a scan without the hooks through which other coprocessors
 * hide rows from the caller.
 */
public final class RowPresence {
  private static final long PIECE_MILLIS = 100;

  /** Anybody may ask, so one request at a time is all that may occupy handlers of a server. */
  private static final Semaphore ASKED = new Semaphore(1);

  private RowPresence() {}

  /**
   * Whether the region has a row.
   *
   * @throws DoNotRetryIOException if the caller does not wait for so long as it takes to tell
   * @throws RegionTooBusyException if another request is being answered; to be tried again
   */
  public static boolean of(Region region) throws IOException {
    if (!ASKED.tryAcquire()) {
      throw new RegionTooBusyException("it is being told of another region whether it has rows");
    }
    try {
      return isPresent(region);
    } finally {
      ASKED.release();
    }
  }

  private static boolean isPresent(Region region) throws IOException {
    long end =
        EnvironmentEdgeManager.currentTime()
            + Caller.patience(HConstants.DEFAULT_HBASE_RPC_TIMEOUT) / 2;
    Scan scan = new Scan().setCacheBlocks(false).setFilter(new FirstKeyOnlyFilter());
    try (RegionScanner rows = region.getScanner(scan)) {
      List<Cell> row = new ArrayList<>();
      while (EnvironmentEdgeManager.currentTime() < end) {
        long pieceEnd = EnvironmentEdgeManager.currentTime() + PIECE_MILLIS;
        ScannerContext piece =
            ScannerContext.newBuilder().setTimeLimit(LimitScope.BETWEEN_CELLS, pieceEnd).build();
        boolean more = rows.next(row, piece);
        if (!row.isEmpty() || !more) {
          return !row.isEmpty();
        }
        ((Shipper) rows).shipped();
      }
    }
    throw new DoNotRetryIOException(
        "cannot tell in time whether region %s has rows: it has many deletes"
            .formatted(region.getRegionInfo().getRegionNameAsString()));
  }
}
