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
 * The candidates of the blocks that may hold some, each read once, and when the scan comes to it.
 */
final class BlockCursor implements FileCursor {
  private final Shortlist list;
  private final Wanted wanted;
  private final SearchCount count;
  private NavigableSet<byte[]> rows = Collections.emptyNavigableSet();
  private byte[] known = HConstants.EMPTY_BYTE_ARRAY;
  private boolean exhausted;
  private int next;

  BlockCursor(Shortlist list, Wanted wanted, SearchCount count) {
    this.list = list;
    this.wanted = wanted;
    this.count = count;
  }

  @Override
  public boolean seek(byte[] row) {
    if (exhausted || Bytes.compareTo(row, known) < 0) {
      return false;
    }
    known = row;
    next = Math.max(next, list.placeOf(list.blocks().blockOf(row)));
    exhausted = next == list.size();
    rows = Collections.emptyNavigableSet();
    return !exhausted;
  }

  @Override
  public void read(KeyValueScanner file) throws IOException {
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

  @Override
  public NavigableSet<byte[]> rows() {
    return rows;
  }

  /** Its blocks are read for all their rows at once. */
  @Override
  public void visit(byte[] row) {}

  @Override
  public byte[] known() {
    return exhausted ? HConstants.EMPTY_END_ROW : known;
  }
}
