package io.deli.fileindex.internal.blocks;

import java.io.IOException;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One file's candidates in the order of rows: those of the blocks that may hold some, each block
 * read once, and only when the scan comes to it.
 */
final class FileCursor {
  private final Shortlist list;
  private final Wanted wanted;
  private final SearchCount count;
  private NavigableSet<byte[]> rows = Collections.emptyNavigableSet();
  private byte[] known = HConstants.EMPTY_BYTE_ARRAY;
  private boolean exhausted;
  private int next;

  FileCursor(Shortlist list, Wanted wanted, SearchCount count) {
    this.list = list;
    this.wanted = wanted;
    this.count = count;
  }

  /**
   * Goes on to a row, which must not be before the last one.
   *
   * @return whether a block is to be {@link #read}
   */
  boolean seek(byte[] row) {
    if (exhausted || Bytes.compareTo(row, known) < 0) {
      return false;
    }
    known = row;
    next = Math.max(next, list.placeOf(list.blocks().blockOf(row)));
    exhausted = next == list.length();
    rows = Collections.emptyNavigableSet();
    return !exhausted;
  }

  /** Reads the block that {@link #seek} came to, or what of it can be read at once. */
  void read(KeyValueScanner file) throws IOException {
    NavigableSet<byte[]> found = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    int block = list.numbers()[next];
    byte[] upTo =
        list.blocks()
            .read(
                block,
                known,
                file,
                cell -> {
                  if (wanted.matches(cell)) {
                    found.add(CellUtil.cloneRow(cell));
                  }
                });
    count.blockRead();
    known = upTo;
    if (Bytes.equals(upTo, list.blocks().endOf(block))) {
      next++;
    }
    rows = found;
    exhausted = upTo.length == 0;
  }

  /** The candidates, as far as they are known. */
  NavigableSet<byte[]> rows() {
    return rows;
  }

  /** The row up to which they are known, exclusive; empty if all are. */
  byte[] known() {
    return exhausted ? HConstants.EMPTY_END_ROW : known;
  }
}
