package io.deli.strategy;

import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;

/**
 * Folds the cells of rows of an index table into fewer that say the same. Takes them in HBase's
 * order, delete markers included, and gives what it makes of them in that order, too. Keeps no cell
 * that it was given beyond a call. Not thread-safe.
 */
public interface CellMerger {
  /** Takes the next cell, and gives what is certain by now. */
  void add(Cell cell, Consumer<Cell> out);

  /** Gives what is left. */
  void end(Consumer<Cell> out);
}
