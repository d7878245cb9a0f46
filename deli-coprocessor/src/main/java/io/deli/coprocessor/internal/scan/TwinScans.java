package io.deli.coprocessor.internal.scan;

import io.deli.service.TwinScan;
import io.deli.strategy.ColumnVersions;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.regionserver.querymatcher.NewVersionBehaviorTracker;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher.MatchCode;

/**
 * Answers {@link TwinScan}s of a region. Thread-safe.
 *
 * <p>Of equal cells HBase's column tracker gives the newest to a raw scan, ahead of filters. A
 * coprocessor may replace the delete tracker, which raw scans do not use; if that is a {@link
 * NewVersionBehaviorTracker}, HBase takes it for the column tracker, too. HBase opens the scanner
 * of a store and makes its trackers one after the other, in one thread.
 */
public final class TwinScans {
  private final Set<Thread> asked = ConcurrentHashMap.newKeySet();

  /** To be called when the scanner of a store is opened, for whatever scan. */
  public void open(Scan scan) {
    if (TwinScan.isAsked(scan)) {
      asked.add(Thread.currentThread());
    } else {
      // The last one may have failed ahead of its tracker.
      asked.remove(Thread.currentThread());
    }
  }

  /** Returns the tracker of the scan that was opened last in this thread. */
  public DeleteTracker tracker(DeleteTracker hbases) {
    return asked.remove(Thread.currentThread())
        ? new TwinTracker(hbases.getCellComparator())
        : hbases;
  }

  /** Tracks the columns of a raw scan of all versions. */
  private static final class TwinTracker extends NewVersionBehaviorTracker {
    private Cell last;
    private long end;

    TwinTracker(CellComparator order) {
      super(null, order, 0, Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MIN_VALUE);
    }

    @Override
    public MatchCode checkVersions(Cell cell, long timestamp, byte type, boolean ignoreCount) {
      boolean twin =
          last != null && last.getType() == cell.getType() && Coordinates.sameVersion(last, cell);
      long own = ColumnVersions.end(cell);
      if (twin && own <= end) {
        return MatchCode.SKIP;
      }
      last = cell;
      end = own;
      return MatchCode.INCLUDE;
    }

    @Override
    public void reset() {
      super.reset();
      last = null;
    }

    @Override
    public void beforeShipped() throws IOException {
      super.beforeShipped();
      if (last != null) {
        last = KeyValueUtil.toNewKeyCell(last);
      }
    }
  }
}
