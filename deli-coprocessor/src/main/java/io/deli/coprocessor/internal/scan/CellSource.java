package io.deli.coprocessor.internal.scan;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;

/** The cells of a store's files or memory, in HBase's order, none dropped. Not thread-safe. */
public interface CellSource extends Closeable {
  /** The next cell, or null behind the last one. */
  Cell next() throws IOException;

  /** Whether the entries of the last cell given are known to be deleted. */
  default boolean isCovered() {
    return false;
  }

  /** Frees the blocks behind all cells given so far; those still wanted must have been copied. */
  void shipped() throws IOException;
}
