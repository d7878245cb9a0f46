package io.deli.coprocessor.internal.scan;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.regionserver.querymatcher.CompactionScanQueryMatcher;

/**
 * Says of each cell whether HBase would keep it, by HBase's own query matcher. Must be shown every
 * cell of the store, in order. Not thread-safe.
 */
public final class Judge {
  /** What becomes of a cell. */
  public enum Verdict {
    /** HBase keeps it. */
    KEPT,
    /** HBase drops it, and it would not be seen again if it did not. */
    DEAD,
    /** HBase drops it; if it did not, the version would be seen again some day. */
    HIDDEN
  }

  private final CompactionScanQueryMatcher matcher;
  private final Revival revival;

  /** The rest of this cell's column is dropped, as HBase's scanner would seek past it. */
  private Cell droppedColumn;

  private boolean droppedRow;

  /**
   * @param revival knows what may be seen again; null if nothing may
   */
  Judge(CompactionScanQueryMatcher matcher, Revival revival) {
    this.matcher = matcher;
    this.revival = revival;
  }

  /** Judges the next cell. */
  public Verdict judge(Cell cell) throws IOException {
    boolean kept = keeps(cell);
    boolean hidden = revival != null && revival.returns(cell, !kept);
    return kept ? Verdict.KEPT : hidden ? Verdict.HIDDEN : Verdict.DEAD;
  }

  /** Judges the next cell where nothing needs to be known of what might be seen again. */
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

  /** Copies what is remembered of cells given so far. */
  public void beforeShipped() throws IOException {
    matcher.beforeShipped();
    if (revival != null) {
      revival.beforeShipped();
    }
    if (droppedColumn != null) {
      droppedColumn = KeyValueUtil.toNewKeyCell(droppedColumn);
    }
  }
}
