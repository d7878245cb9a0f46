package io.deli.coprocessor.internal.scan;

import io.deli.coprocessor.internal.scan.Judge.Verdict;
import java.io.IOException;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * Repeats an earlier judgement of one file, cell by cell, to learn which of its versions that
 * judgement had dying. Must be shown every cell of the file, in order. Not thread-safe.
 */
public final class Replay {
  private final Judge judge;
  private final NavigableSet<byte[]> except;

  /**
   * @param judgement that was passed on the file
   * @param except rows in which nothing counts as dying
   */
  public Replay(Judgement judgement, NavigableSet<byte[]> except) throws IOException {
    this(judgement.judge(), except);
  }

  Replay(Judge judge, NavigableSet<byte[]> except) {
    this.judge = judge;
    this.except = except;
  }

  /** Whether the cell is a version that was dying. */
  boolean isDying(Cell cell) throws IOException {
    boolean dead = judge.judge(cell) == Verdict.DEAD;
    return dead && Coordinates.isPut(cell) && !isExcepted(cell);
  }

  private boolean isExcepted(Cell cell) {
    return !except.isEmpty() && except.contains(CellUtil.cloneRow(cell));
  }

  void beforeShipped() throws IOException {
    judge.beforeShipped();
  }
}
