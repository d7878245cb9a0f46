package io.deli.coprocessor.internal.scan;

import io.deli.coprocessor.internal.scan.RetentionMatcher.Verdict;
import java.io.IOException;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * Repeats the classification of an earlier GC pass over one file, cell by cell, to learn which of
 * its versions that pass found expired. Must be given every cell of the file, in order. Not
 * thread-safe.
 *
 * @param matcher of the earlier pass
 * @param except rows in which no version counts as expired
 */
public record Replay(RetentionMatcher matcher, NavigableSet<byte[]> except) {
  public Replay(RetentionContext context, NavigableSet<byte[]> except) throws IOException {
    this(context.matcher(), except);
  }

  /** Whether the cell is a version that the earlier pass found expired. */
  boolean isDying(Cell cell) throws IOException {
    boolean dead = matcher.match(cell) == Verdict.DEAD;
    return dead && Coordinates.isPut(cell) && !isExcepted(cell);
  }

  private boolean isExcepted(Cell cell) {
    return !except.isEmpty() && except.contains(CellUtil.cloneRow(cell));
  }

  void beforeShipped() throws IOException {
    matcher.beforeShipped();
  }
}
