package io.deli.fileindex.internal.blocks;

import java.io.IOException;
import java.util.Optional;

/** The rows that one scan of a region has to look at. Not thread-safe. */
interface CandidateRows {
  /**
   * Whether at this moment no row may be a hit, so that no scan need be opened; false if indexes
   * alone do not tell, and of several conditions together, for a row may go from one to another
   * between two moments. Valid only if the region is still available afterwards. To be called ahead
   * of the scan.
   */
  default boolean isNone() throws IOException {
    return false;
  }

  /**
   * To be called while the scan is opened, behind its read point and ahead of its first seek. Reads
   * no rows, for HBase holds a lock of the store.
   *
   * @return the first row at or behind the given one that may be a hit, or some row before it;
   *     empty if there is none before the end
   */
  Optional<byte[]> begin(byte[] row) throws IOException;

  /**
   * The last row that may be a hit, if all of them are known; to be called behind {@link #begin}.
   */
  Optional<byte[]> last();

  /**
   * To be called once the scan is open.
   *
   * @param readPoint of the scan
   */
  void opened(long readPoint) throws IOException;

  /**
   * Whether the next candidates are better read one by one, as Gets, than by a scan that goes from
   * one to the next. If it is so behind {@link #begin}, and the last one is known, it stays so.
   */
  default boolean areFarApart() {
    return false;
  }

  /**
   * The first row at or behind the given one, which must not be before the last one asked for, that
   * may be a hit; empty if there is none before the end. If it takes long to find, some row before
   * it, but behind the given one.
   */
  Optional<byte[]> atOrBehind(byte[] row) throws IOException;
}
