package io.deli.coprocessor.internal.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.StoreScanner;

/**
 * What HBase's scanner over memory gives, and the puts that its query matcher would skip because a
 * newer one has equal coordinates.
 *
 * <p>After every cell the scanner's heap stands at the next one, still unjudged: an equal one is
 * taken from there, and the heap is moved on behind it. That is exact in memory, where seeks heed
 * sequence ids.
 */
public final class MemoryCells implements CellSource {
  private final StoreScanner scanner;
  private final ScannerContext one = ScannerContext.newBuilder().setBatchLimit(1).build();
  private final List<Cell> batch = new ArrayList<>(1);
  private Cell last;
  private boolean more = true;

  public MemoryCells(StoreScanner scanner) {
    this.scanner = scanner;
  }

  @Override
  public Cell next() throws IOException {
    Cell top = last == null ? null : scanner.peek();
    if (top != null && sameCoordinates(top, last)) {
      scanner.reseek(behind(top));
      last = top;
      return top;
    }
    while (batch.isEmpty() && more) {
      more = scanner.next(batch, one);
    }
    last = batch.isEmpty() ? null : batch.remove(0);
    return last;
  }

  private static boolean sameCoordinates(Cell a, Cell b) {
    return a.getTimestamp() == b.getTimestamp()
        && a.getType() == b.getType()
        && Coordinates.sameColumn(a, b);
  }

  private static Cell behind(Cell cell) {
    KeyValue key = KeyValueUtil.copyToNewKeyValue(cell);
    key.setSequenceId(key.getSequenceId() - 1);
    return key;
  }

  @Override
  public void shipped() {
    // Memory has no blocks to free.
  }

  @Override
  public void close() {
    scanner.close();
  }
}
