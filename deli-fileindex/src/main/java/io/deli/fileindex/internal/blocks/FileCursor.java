package io.deli.fileindex.internal.blocks;

import java.io.IOException;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;

/** One file's candidates in the order of rows, for one scan. Not thread-safe. */
interface FileCursor {
  /**
   * Goes on to a row, which must not be before the last one.
   *
   * @return whether a block is to be {@link #read} before anything is known of it
   */
  boolean seek(byte[] row);

  /** Reads the block that {@link #seek} came to, or what of it can be read at once. */
  void read(KeyValueScanner file) throws IOException;

  /** The candidates, as far as they are known. */
  NavigableSet<byte[]> rows();

  /** The scan comes to a row, which is not before the last one, and may be of another file. */
  void visit(byte[] row);

  /** The row up to which they are known, exclusive; empty if all are. */
  byte[] known();
}
