package io.deli.fileindex.internal.next;

import io.deli.query.TokenRange;
import java.util.NavigableMap;
import java.util.function.Consumer;

/**
 * An immutable index from keys to rows in blocks of bytes, of which only the top stays in memory.
 */
interface KeyIndex {
  /** Makes one in some form. */
  @FunctionalInterface
  interface Form {
    /**
     * Makes one.
     *
     * @param keyOfRow keys, each with one row
     */
    KeyIndex of(NavigableMap<byte[], byte[]> keyOfRow) throws Exception;
  }

  /** The bytes of all blocks. */
  long bytes();

  /** The bytes that stay in memory, about. */
  long resident();

  /**
   * Finds the rows with keys in a range, and perhaps that of one more key at each end of it.
   *
   * @return the number of blocks that were read
   */
  int search(TokenRange keys, Consumer<byte[]> rows) throws Exception;
}
