package io.deli.client.internal.build;

import io.deli.entry.WriteId;
import io.deli.index.Index;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Retraction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * The index Puts that the versions of rows call for, one row after the other. Does no I/O; not
 * thread-safe.
 *
 * <p>Each version in a raw scan counts: one that is hidden may be seen again. Only of an index that
 * knows none but the newest, those behind the newest are left out, unless there are delete markers.
 */
final class VersionEntries {
  private final Index index;
  private final boolean newestOnly;
  private byte[] row = new byte[0];
  private boolean marked;
  private boolean found;
  private long refused;

  VersionEntries(Index index) {
    this.index = index;
    this.newestOnly = isNewestOnly(index);
  }

  /** Whether delete markers, those of the family too, tell which versions count. */
  static boolean isNewestOnly(Index index) {
    return index.strategy().retraction() == Retraction.AT_WRITE;
  }

  /** Those of the cells of a row, or of a piece of a row that follows the one before. */
  List<Put> of(Result piece) {
    if (!Arrays.equals(row, piece.getRow())) {
      row = piece.getRow();
      marked = false;
      found = false;
    }
    List<Put> puts = new ArrayList<>(piece.size());
    for (Cell cell : piece.rawCells()) {
      if (cell.getType() != Cell.Type.Put) {
        marked = true;
      } else if (index.column().matches(cell) && (!newestOnly || marked || !found)) {
        found = true;
        puts.addAll(puts(cell));
      }
    }
    return puts;
  }

  private List<Put> puts(Cell cell) {
    List<Put> puts;
    try {
      puts = index.strategy().write(index, BaseVersion.of(cell, WriteId.of(cell)));
    } catch (IllegalArgumentException e) {
      // It got there past DELI, or before the index. Garbage collection knows no entry of it.
      refused++;
      return List.of();
    }
    PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE)
        .ifPresent(tag -> puts.forEach(put -> put.setTTL(Tag.getValueAsLong(tag))));
    return puts;
  }

  /** Versions whose values the index does not take. */
  long refused() {
    return refused;
  }
}
