package io.deli.coprocessor.internal.scan;

import io.deli.coprocessor.internal.scan.RetentionMatcher.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Consecutive cells of one row and what HBase would do with them: a whole row, or a part of one too
 * large to hold. Not thread-safe.
 */
public final class RowPiece {
  private final List<Cell> cells = new ArrayList<>();
  private final BitSet dropped = new BitSet();
  private final BitSet covered = new BitSet();
  private final BitSet hidden = new BitSet();
  private final boolean unmasked;
  private boolean cut;
  private boolean unmasks;
  private long bytes;
  private int copied;

  /** Begins a row. */
  public RowPiece() {
    this(false);
  }

  /**
   * Goes on with a row, or begins one.
   *
   * @param unmasked whether the piece before {@linkplain #unmasks unmasks} what is here
   */
  RowPiece(boolean unmasked) {
    this.unmasked = unmasked;
  }

  void add(Cell cell, Verdict verdict, boolean isCovered) {
    covered.set(cells.size(), isCovered);
    dropped.set(cells.size(), verdict != Verdict.KEPT);
    hidden.set(cells.size(), verdict == Verdict.HIDDEN);
    cells.add(cell);
    bytes += cell.getSerializedSize();
  }

  /**
   * The row goes on with a cell behind this piece. Keeps the delete markers that may apply to what
   * is there: while that may still be written back, what masks it must stay.
   */
  void goesOn(Cell behind) {
    Cell last = last();
    cut = Coordinates.sameVersion(last, behind);
    unmasks = Coordinates.sameColumn(last, behind) && isLeftUnmasked(last);
    for (int i = dropped.nextSetBit(0); i >= 0; i = dropped.nextSetBit(i + 1)) {
      Cell cell = cells.get(i);
      if (!Coordinates.isPut(cell)
          && (Coordinates.isFamilyMarker(cell) || Coordinates.sameColumn(cell, last))) {
        dropped.clear(i);
      }
    }
  }

  /** Whether hidden versions of the column, here or in pieces before, do not mask what follows. */
  private boolean isLeftUnmasked(Cell column) {
    return (unmasked && isOfColumnAt(column, 0))
        || hidden.stream().anyMatch(i -> isOfColumnAt(column, i));
  }

  private boolean isOfColumnAt(Cell cell, int position) {
    return Coordinates.sameColumn(cell, cells.get(position));
  }

  /**
   * Whether hidden versions, which are written as expired, leave older ones in the next piece
   * without what masks them.
   */
  boolean unmasks() {
    return unmasks;
  }

  /** Whether it is cut between cells that differ in nothing but their age. */
  public boolean isCut() {
    return cut;
  }

  Cell last() {
    return cells.get(cells.size() - 1);
  }

  public int size() {
    return cells.size();
  }

  public long bytes() {
    return bytes;
  }

  /** Everything, dropped or not. */
  public List<Cell> cells() {
    return cells;
  }

  /**
   * Positions of the cells to drop. Mutable: collectors change the marks that HBase's rules set.
   */
  public BitSet dropped() {
    return dropped;
  }

  /**
   * Positions of the dropped versions that might be seen again if they were not. Their entries must
   * not be deleted ahead of them.
   */
  public BitSet hidden() {
    return hidden;
  }

  /** Positions of the cells whose entries are known to be deleted. */
  public BitSet covered() {
    return covered;
  }

  /**
   * Appends the cells to keep, and of hidden versions copies that have expired: nobody sees them
   * again, and the next compaction finds them dead and has their entries deleted.
   */
  public void emitKept(List<Cell> out) {
    if (dropped.isEmpty()) {
      out.addAll(cells);
      return;
    }
    for (int i = 0; i < cells.size(); i++) {
      if (!dropped.get(i)) {
        out.add(cells.get(i));
      } else if (hidden.get(i)) {
        out.add(expired(cells.get(i)));
      }
    }
  }

  /** Appends everything; of dropped versions that nothing masks any more, copies that expired. */
  public void emitAll(List<Cell> out) {
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      boolean shown = unmasked && dropped.get(i) && isOfColumnAt(cell, 0);
      out.add(shown && Coordinates.isPut(cell) ? expired(cell) : cell);
    }
  }

  /** A copy whose own time to live is over, whatever the clock says; other tags are kept. */
  private static Cell expired(Cell cell) {
    List<Tag> tags = PrivateCellUtil.getTags(cell);
    tags.removeIf(tag -> tag.getType() == TagType.TTL_TAG_TYPE);
    tags.add(new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(-1 - cell.getTimestamp())));
    return KeyValueUtil.copyToNewKeyValue(
        PrivateCellUtil.createCell(KeyValueUtil.copyToNewKeyValue(cell), tags));
  }

  /** Copies the cells not yet copied, so that they outlive the blocks they were read from. */
  public void beforeShipped() {
    for (; copied < cells.size(); copied++) {
      cells.set(copied, KeyValueUtil.copyToNewKeyValue(cells.get(copied)));
    }
  }
}
