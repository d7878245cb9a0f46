package io.deli.coprocessor.internal.scan;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.regionserver.querymatcher.CompactionScanQueryMatcher;

/**
 * Tells of each cell whether HBase would keep it, by HBase's own query matcher. Must be given every
 * cell of the store, in order. Not thread-safe.
 */
public final class RetentionMatcher {
  /** The fate of a cell. */
  public enum Verdict {
    /** HBase keeps it, or it has to stay nevertheless. */
    KEPT,
    /** HBase drops it, and it would not be seen again if it did not. */
    DEAD,
    /** HBase drops it; if it did not, the version would be seen again some day. */
    HIDDEN
  }

  private final CompactionScanQueryMatcher matcher;
  private final ResurrectionFinder resurrections;

  /** The rest of this cell's column is dropped, as HBase's scanner would seek past it. */
  private Cell droppedColumn;

  private boolean droppedRow;

  /**
   * @param resurrections finds versions that may be seen again; null if none may
   */
  RetentionMatcher(CompactionScanQueryMatcher matcher, ResurrectionFinder resurrections) {
    this.matcher = matcher;
    this.resurrections = resurrections;
  }

  /** Classifies the next cell. */
  public Verdict match(Cell cell) throws IOException {
    boolean kept = keeps(cell);
    boolean hidden = resurrections != null && resurrections.returns(cell, !kept);
    if (kept || (resurrections != null && resurrections.isToStay())) {
      return Verdict.KEPT;
    }
    return hidden ? Verdict.HIDDEN : Verdict.DEAD;
  }

  /** Classifies the next cell, without looking for hidden versions. */
  boolean keeps(Cell cell) throws IOException {
    if (matcher.currentRow() == null || !CellUtil.matchingRows(matcher.currentRow(), cell)) {
      matcher.setToNewRow(cell);
      droppedColumn = null;
      droppedRow = false;
    } else if (isPassed(cell)) {
      return false;
    }
    return switch (matcher.match(cell)) {
      case INCLUDE -> true;
      case SKIP -> false;
      case INCLUDE_AND_SEEK_NEXT_COL -> {
        passColumn(cell);
        yield true;
      }
      case SEEK_NEXT_COL -> {
        passColumn(cell);
        yield false;
      }
      case INCLUDE_AND_SEEK_NEXT_ROW -> {
        droppedRow = true;
        yield true;
      }
      case SEEK_NEXT_ROW -> {
        droppedRow = true;
        yield false;
      }
      default -> throw new IllegalStateException("no answer of a compaction for " + cell);
    };
  }

  private boolean isPassed(Cell cell) {
    return droppedRow || (droppedColumn != null && CellUtil.matchingQualifier(droppedColumn, cell));
  }

  private void passColumn(Cell cell) {
    // Family markers share the empty qualifier, so there HBase goes on cell by cell.
    droppedColumn = cell.getQualifierLength() == 0 ? null : cell;
  }

  /** Copies the cells that are remembered. */
  public void beforeShipped() throws IOException {
    matcher.beforeShipped();
    if (resurrections != null) {
      resurrections.beforeShipped();
    }
    if (droppedColumn != null) {
      droppedColumn = KeyValueUtil.toNewKeyCell(droppedColumn);
    }
  }
}
