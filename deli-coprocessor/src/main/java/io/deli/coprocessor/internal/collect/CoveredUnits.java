package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.scan.Coordinates;
import io.deli.coprocessor.internal.scan.RowPiece;
import java.util.BitSet;
import org.apache.hadoop.hbase.Cell;

/**
 * Drops the dying versions whose entries an earlier run has deleted, and leaves the others to the
 * next run; sends nothing.
 *
 * <p>A row with versions for the next run loses the covered ones only, not its delete markers. That
 * is what HBase would have made of the row by compacting the covered file alone, right after the
 * run: so no cell that stays is classified otherwise for want of those that go. A covered version
 * that lives again, by a delete of exactly the version that hid it, keeps its row whole.
 */
record CoveredUnits(FamilyIndexes indexes) implements Unit.Source {

  @Override
  public Unit unit(RowPiece piece) {
    BitSet dropped = piece.dropped();
    if (!dropped.isEmpty() || !piece.covered().isEmpty()) {
      decide(piece, dropped);
    }
    return Unit.free(piece);
  }

  private void decide(RowPiece piece, BitSet dropped) {
    BitSet going = new BitSet();
    boolean left = false;
    for (int i = 0; i < piece.size(); i++) {
      Cell cell = piece.cells().get(i);
      if (!Coordinates.isPut(cell) || !indexes.covers(cell)) {
        continue;
      }
      if (!piece.covered().get(i)) {
        left |= dropped.get(i) && !piece.hidden().get(i);
      } else if (dropped.get(i)) {
        going.set(i);
      } else {
        dropped.clear();
        return;
      }
    }
    if (left) {
      dropped.clear();
      dropped.or(going);
    }
  }
}
