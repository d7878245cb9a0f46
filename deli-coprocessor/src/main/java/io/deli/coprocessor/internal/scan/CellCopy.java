package io.deli.coprocessor.internal.scan;

import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;

/** Copies of cells that outlive the block they were read from. */
final class CellCopy {
  private CellCopy() {}

  /** A copy with tags and sequence id. */
  static Cell of(Cell cell) {
    return KeyValueUtil.copyToNewKeyValue(cell);
  }

  /** Copies of all, in order; the collection is empty afterwards. */
  static List<Cell> takeAll(Collection<Cell> cells) {
    List<Cell> copies = cells.stream().map(CellCopy::of).toList();
    cells.clear();
    return copies;
  }
}
