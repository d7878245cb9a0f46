package io.deli.test.gc;

import io.deli.coprocessor.internal.scan.ForwardingScanner;
import io.deli.test.cluster.TestObserver;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;

/**
 * A compaction that keeps one version of each indexed column, whatever the family says: nobody does
 * that, and tests must notice.
 */
public final class GreedyObserver implements TestObserver {
  @Override
  public InternalScanner compacted(InternalScanner scanner) {
    return new NewestOnly(scanner);
  }

  private static final class NewestOnly extends ForwardingScanner {
    private byte[] kept = {};

    NewestOnly(InternalScanner scanner) {
      super(scanner);
    }

    @Override
    public boolean next(List<Cell> cells, ScannerContext context) throws IOException {
      boolean more = scanner.next(cells, context);
      cells.removeIf(this::isOlder);
      return more;
    }

    private boolean isOlder(Cell cell) {
      if (cell.getType() != Cell.Type.Put
          || !CellUtil.matchingQualifier(cell, RetentionHistory.INDEXED)) {
        return false;
      }
      byte[] row = CellUtil.cloneRow(cell);
      boolean older = Arrays.equals(row, kept);
      kept = row;
      return older;
    }
  }
}
