package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.scan.Coordinates;
import io.deli.coprocessor.internal.scan.RowPiece;
import io.deli.coprocessor.internal.send.IndexDelete;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the index entries that die with a piece of a row, to be deleted before it may go. */
final class Garbage implements Units {
  private static final Logger LOG = LoggerFactory.getLogger(Garbage.class);

  private final FamilyIndexes indexes;
  private boolean complained;

  Garbage(FamilyIndexes indexes) {
    this.indexes = indexes;
  }

  @Override
  public Unit unit(RowPiece piece, Windows windows) {
    BitSet dropped = piece.dropped();
    int dying = 0;
    for (int i = dropped.nextSetBit(0); i >= 0; i = dropped.nextSetBit(i + 1)) {
      if (isVersion(piece.cells().get(i))) {
        dying++;
      }
    }
    if (dying == 0) {
      return new Unit(piece, 0, List.of(), false);
    }
    return dying(piece, dying, windows);
  }

  private Unit dying(RowPiece piece, int dying, Windows windows) {
    List<Map.Entry<TableName, Delete>> found;
    try {
      found = entries(piece);
    } catch (RuntimeException e) {
      // A tokenizer of the user's may throw anything; the compaction must not care.
      if (!complained) {
        complained = true;
        LOG.error(
            "cannot tell the entries of {}; they stay until this is cured",
            piece.cells().get(0),
            e);
      }
      return new Unit(piece, dying, List.of(), true);
    }
    if (found.stream().anyMatch(delete -> windows.isTroubled(delete.getKey()))) {
      return new Unit(piece, dying, List.of(), true);
    }
    List<IndexDelete> deletes = new ArrayList<>(found.size());
    found.forEach(delete -> deletes.add(windows.batch().add(delete.getKey(), delete.getValue())));
    return new Unit(piece, dying, deletes, false);
  }

  private List<Map.Entry<TableName, Delete>> entries(RowPiece piece) {
    List<Map.Entry<TableName, Delete>> found = new ArrayList<>();
    BitSet dropped = piece.dropped();
    for (int i = dropped.nextSetBit(0); i >= 0; i = dropped.nextSetBit(i + 1)) {
      Cell cell = piece.cells().get(i);
      if (isVersion(cell)) {
        found.addAll(indexes.deletes(cell, twins(piece, i)));
      }
    }
    return found;
  }

  /** Whether the cell may have entries; a delete marker of an indexed column has none. */
  private boolean isVersion(Cell cell) {
    return Coordinates.isPut(cell) && indexes.covers(cell);
  }

  /** The puts that stay though they have the coordinates of the one at this position. */
  private static List<Cell> twins(RowPiece piece, int position) {
    List<Cell> cells = piece.cells();
    Cell cell = cells.get(position);
    List<Cell> twins = new ArrayList<>();
    for (int step : new int[] {-1, 1}) {
      for (int i = position + step;
          i >= 0 && i < cells.size() && Coordinates.sameVersion(cells.get(i), cell);
          i += step) {
        if (!piece.dropped().get(i) && Coordinates.isPut(cells.get(i))) {
          twins.add(cells.get(i));
        }
      }
    }
    return twins;
  }
}
