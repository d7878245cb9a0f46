package io.deli.strategy;

import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;

/**
 * Merges the cells of an index table's rows into fewer cells with the same entries. Input and
 * output are in HBase's order, delete markers included. Keeps no input cell beyond a call. Not
 * thread-safe.
 */
public interface CellMerger {
  /** Adds the next cell and emits the cells that are final. */
  void add(Cell cell, Consumer<Cell> out);

  /** Emits the remaining cells. */
  void end(Consumer<Cell> out);
}
