package io.deli.coprocessor.internal.scan;

import io.deli.coprocessor.internal.scan.RetentionMatcher.Verdict;
import io.deli.coprocessor.spi.Contained;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps every cell of some columns and every delete marker; trims the rest as HBase would.
 *
 * <p>It neither waits nor fails by itself: an exception out of a flush aborts the region server.
 */
public final class KeepingScanner implements InternalScanner, Shipper {
  private static final Logger LOG = LoggerFactory.getLogger(KeepingScanner.class);
  private static final int BATCH = 100;

  private final CellSource source;
  private final RetentionMatcher matcher;
  private final Predicate<Cell> keep;
  private boolean trims = true;

  public KeepingScanner(CellSource source, RetentionMatcher matcher, Predicate<Cell> keep) {
    this.source = source;
    this.matcher = matcher;
    this.keep = keep;
  }

  @Override
  public boolean next(List<Cell> out, ScannerContext context) throws IOException {
    for (int i = 0; i < BATCH; i++) {
      Cell cell = source.next();
      if (cell == null) {
        return false;
      }
      boolean kept = !trims || mayStay(cell);
      if (kept || !Coordinates.isPut(cell) || keep.test(cell)) {
        out.add(cell);
      }
    }
    return true;
  }

  private boolean mayStay(Cell cell) {
    return Contained.orElse(
        () -> matcher.match(cell) == Verdict.KEPT,
        e -> {
          LOG.error("cannot tell what may go at {}; this rewrite keeps all further cells", cell, e);
          trims = false;
          return true;
        });
  }

  @Override
  public void shipped() throws IOException {
    matcher.beforeShipped();
    source.shipped();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
