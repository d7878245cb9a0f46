package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.scan.Coordinates;
import io.deli.coprocessor.internal.scan.RowPiece;
import io.deli.strategy.Index;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;

/** Finds the index entries that die with a piece of a row, to be deleted before it may go. */
record GarbageUnits(FamilyIndexes indexes) implements Unit.Source {

  @Override
  public Unit unit(RowPiece piece) {
    BitSet versions = new BitSet();
    BitSet dropped = piece.dropped();
    for (int i = dropped.nextSetBit(0); i >= 0; i = dropped.nextSetBit(i + 1)) {
      versions.set(i, !piece.hidden().get(i) && isVersion(piece.cells().get(i)));
    }
    return versions.isEmpty()
        ? Unit.free(piece)
        : new Unit(piece, versions.cardinality(), new Deletes(piece, versions));
  }

  /** Whether the cell may have entries; a delete marker of an indexed column has none. */
  private boolean isVersion(Cell cell) {
    return Coordinates.isPut(cell) && indexes.covers(cell);
  }

  /**
   * The puts that stay though they have the coordinates of the one at this position. One that is
   * hidden may stay yet: by what is written back, or the end of a compaction.
   */
  private static List<Cell> twins(RowPiece piece, int position) {
    List<Cell> cells = piece.cells();
    Cell cell = cells.get(position);
    List<Cell> twins = new ArrayList<>();
    for (int step : new int[] {-1, 1}) {
      for (int i = position + step;
          i >= 0 && i < cells.size() && Coordinates.sameVersion(cells.get(i), cell);
          i += step) {
        boolean stays = !piece.dropped().get(i) || piece.hidden().get(i);
        if (stays && Coordinates.isPut(cells.get(i))) {
          twins.add(cells.get(i));
        }
      }
    }
    return twins;
  }

  /** The deletes of a piece: by version, then by index, then by token. */
  private final class Deletes implements Iterator<Map.Entry<TableName, Delete>> {
    private final RowPiece piece;
    private final BitSet versions;
    private int position = -1;
    private Iterator<Index> ofVersion = Collections.emptyIterator();
    private Index index;
    private Iterator<Delete> ofIndex = Collections.emptyIterator();

    Deletes(RowPiece piece, BitSet versions) {
      this.piece = piece;
      this.versions = versions;
    }

    @Override
    public boolean hasNext() {
      while (!ofIndex.hasNext()) {
        if (ofVersion.hasNext()) {
          index = ofVersion.next();
          ofIndex = indexes.deletes(index, piece.cells().get(position), twins(piece, position));
          continue;
        }
        position = versions.nextSetBit(position + 1);
        if (position < 0) {
          position = versions.length();
          return false;
        }
        ofVersion = indexes.of(piece.cells().get(position)).iterator();
      }
      return true;
    }

    @Override
    public Map.Entry<TableName, Delete> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return Map.entry(index.table(), ofIndex.next());
    }
  }
}
