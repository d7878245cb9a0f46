package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.scan.Coordinates;
import io.deli.coprocessor.internal.scan.RowPiece;
import io.deli.strategy.Index;
import io.deli.strategy.KeyColumns;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;

/**
 * The versions of several columns in a piece of a row. Not thread-safe.
 *
 * <p>Such a version dies with the first of its cells, and that has its entry deleted; the others
 * find nothing. All cells of a mutation in one family come to one file, hence to one rewrite. If
 * they do not, or are in several pieces of a row that is too large to hold, the entry is left to
 * readers: it is of no version any more. So is that of a version whose twins are in several pieces,
 * for some may stay.
 */
final class JoinedVersions {
  private final RowPiece piece;
  private final BitSet dying;
  private final boolean begun;

  /** The positions of Puts, by timestamp; made when it is first asked for. */
  private Map<Long, List<Integer>> byTime;

  /**
   * @param dying the positions of the versions of columns that die
   * @param begun whether the piece before was cut between twins
   */
  JoinedVersions(RowPiece piece, BitSet dying, boolean begun) {
    this.piece = piece;
    this.dying = dying;
    this.begun = begun;
  }

  /** Whether those of one timestamp are too many to be told, of which a cell dies. */
  boolean areTooMany(Index index) {
    return dying.stream()
        .mapToObj(position -> piece.cells().get(position).getTimestamp())
        .distinct()
        .anyMatch(time -> index.key().areTooMany(ofKey(index, at(time)).toList()));
  }

  private Stream<Cell> ofKey(Index index, List<Integer> positions) {
    return positions.stream().map(piece.cells()::get).filter(index.key()::include);
  }

  /** The versions that die with the cell at a position, except those that an earlier cell tells. */
  List<Cell> dyingWith(Index index, int position) {
    Cell cell = piece.cells().get(position);
    if ((begun && isOfTime(cell, 0)) || (piece.isCut() && isOfTime(cell, piece.size() - 1))) {
      return List.of();
    }
    List<Integer> same = at(cell.getTimestamp());
    boolean twins = ofKey(index, same).count() > index.key().all().size();
    List<Cell> cells = new ArrayList<>();
    for (int other : same) {
      Cell there = piece.cells().get(other);
      boolean tells = other < position && dying.get(other);
      if (other == position
          || !(tells
              || Coordinates.sameVersion(there, cell)
              || (twins && !KeyColumns.mayBeOfOne(there, cell)))) {
        cells.add(there);
      }
    }
    return index.key().versions(cells);
  }

  private boolean isOfTime(Cell cell, int position) {
    return piece.cells().get(position).getTimestamp() == cell.getTimestamp();
  }

  /** The versions at the timestamp of a position of which all cells stay. */
  List<Cell> staying(Index index, int position, IntPredicate stays) {
    return index
        .key()
        .versions(
            at(piece.cells().get(position).getTimestamp()).stream()
                .filter(stays::test)
                .map(piece.cells()::get)
                .toList());
  }

  private List<Integer> at(long timestamp) {
    if (byTime == null) {
      byTime = new HashMap<>();
      for (int i = 0; i < piece.size(); i++) {
        Cell cell = piece.cells().get(i);
        if (Coordinates.isPut(cell)) {
          byTime.computeIfAbsent(cell.getTimestamp(), t -> new ArrayList<>(2)).add(i);
        }
      }
    }
    return byTime.getOrDefault(timestamp, List.of());
  }
}
