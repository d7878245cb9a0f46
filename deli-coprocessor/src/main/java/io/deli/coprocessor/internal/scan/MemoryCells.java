package io.deli.coprocessor.internal.scan;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.regionserver.StoreScanner;

/**
 * Every cell of memory, also those that no setting makes HBase's query matcher give: puts that a
 * newer one with equal coordinates hides, and cells beyond a time-to-live of their own.
 *
 * <p>The matcher judges a cell only when the scanner's heap gives it away. So it is taken from the
 * top, and the heap is moved on behind it, which is exact in memory, where seeks heed sequence ids.
 */
public record MemoryCells(StoreScanner scanner) implements CellSource {
  @Override
  public Cell next() throws IOException {
    Cell top = scanner.peek();
    if (top != null) {
      scanner.reseek(behind(top));
    }
    return top;
  }

  private static Cell behind(Cell cell) {
    KeyValue key = KeyValueUtil.toNewKeyCell(cell);
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
