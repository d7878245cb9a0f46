package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.scan.Coordinates;
import io.deli.coprocessor.internal.scan.RetentionRules.Purge;
import io.deli.coprocessor.internal.scan.RowPiece;
import io.deli.entry.WriteId;
import io.deli.strategy.Index;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;

/**
 * Finds the index entries that die with a piece of a row, to be deleted before it may go.
 *
 * <p>Puts of one row, column and timestamp are twins: of these some may stay while others die, and
 * if they have the same write id, the same value has but one entry, which stays. Where twins are in
 * several pieces, those with an id are known by it: they are the same write, repeated, so that of
 * them one that dies has none that stays behind it. Where one without an id dies, the piece stays
 * as it is. So it does where a newer twin supersedes such a one and the rewrite does not read all
 * files of the row: one of these may have an equal version, which has the same entry. And so it
 * does where twins of several columns make too many versions.
 */
final class GarbageUnits implements Unit.Source {
  /** The write ids that are remembered of twins in earlier pieces; beyond, their twins are kept. */
  private static final int MOST_IDS = 10_000;

  private static final ByteBuffer NO_ID = ByteBuffer.allocate(0);

  private final FamilyIndexes indexes;
  private final Purge purge;

  /** The names of the indexes' tables: HBase interns them by a search of all that it knows. */
  private final IdentityHashMap<Index, TableName> tables = new IdentityHashMap<>();

  /** Whether the last piece was cut between twins. */
  private boolean cut;

  /**
   * The write ids of twins that stay in the pieces so far, if the last was cut between them.
   * Sorted, for clients choose them, and could choose their hashes.
   */
  private final Set<ByteBuffer> staying = new TreeSet<>();

  GarbageUnits(FamilyIndexes indexes, Purge purge) {
    this.indexes = indexes;
    this.purge = purge;
  }

  @Override
  public Unit unit(RowPiece piece) {
    boolean begun = cut;
    BitSet versions = dying(piece);
    int dying = versions.cardinality();
    boolean certain = !(cut || piece.isCut()) || settleCutTwins(piece, versions);
    if (dying == 0) {
      return Unit.free(piece);
    }
    JoinedVersions joined = new JoinedVersions(piece, versions, begun);
    Unit unit = new Unit(piece, dying, new Deletes(piece, versions, joined));
    if (!certain
        || indexes.indexes().stream()
            .anyMatch(each -> each.key().areJoined() && joined.areTooMany(each))
        || (!purge.readsAll(piece.cells().get(0)) && hasNamelessTwin(piece, versions))) {
      unit.refuse();
    }
    return unit;
  }

  /** Whether a version dies that has no id, behind a newer twin. */
  private static boolean hasNamelessTwin(RowPiece piece, BitSet versions) {
    List<Cell> cells = piece.cells();
    return versions.stream()
        .filter(i -> i > 0 && Coordinates.isPut(cells.get(i - 1)))
        .filter(i -> Coordinates.sameVersion(cells.get(i - 1), cells.get(i)))
        .anyMatch(i -> id(cells.get(i)).equals(NO_ID));
  }

  private BitSet dying(RowPiece piece) {
    BitSet versions = new BitSet();
    BitSet dropped = piece.dropped();
    for (int i = dropped.nextSetBit(0); i >= 0; i = dropped.nextSetBit(i + 1)) {
      versions.set(i, !piece.hidden().get(i) && isVersion(piece.cells().get(i)));
    }
    return versions;
  }

  /** Whether the cell may have entries; a delete marker of an indexed column has none. */
  private boolean isVersion(Cell cell) {
    return Coordinates.isPut(cell) && indexes.covers(cell);
  }

  /**
   * Looks at the twins of other pieces, and remembers those for the next one.
   *
   * @param versions loses those whose entries are a twin's that stays
   * @return whether it is certain of all whether their entries are
   */
  private boolean settleCutTwins(RowPiece piece, BitSet versions) {
    int head = cut ? end(piece, 0) : 0;
    int tail = piece.isCut() ? begin(piece, piece.size() - 1) : piece.size();
    boolean certain = true;
    for (int i = versions.nextSetBit(0); i >= 0; i = versions.nextSetBit(i + 1)) {
      if (i < head || i >= tail) {
        ByteBuffer id = id(piece.cells().get(i));
        certain &= !id.equals(NO_ID) && staying.size() < MOST_IDS;
        versions.set(i, i >= head || !staying.contains(id));
      }
    }
    cut = piece.isCut();
    if (head < piece.size() || !cut) {
      staying.clear();
    }
    for (int i = tail; i < piece.size() && staying.size() < MOST_IDS; i++) {
      if (stays(piece, i)) {
        staying.add(id(piece.cells().get(i)));
      }
    }
    return certain;
  }

  /** The position of the first of the cells of one version. */
  private static int begin(RowPiece piece, int position) {
    int first = position;
    while (first > 0
        && Coordinates.sameVersion(piece.cells().get(first - 1), piece.cells().get(position))) {
      first--;
    }
    return first;
  }

  /** The position behind the last of the cells of one version. */
  private static int end(RowPiece piece, int position) {
    int end = position + 1;
    while (end < piece.size()
        && Coordinates.sameVersion(piece.cells().get(end), piece.cells().get(position))) {
      end++;
    }
    return end;
  }

  /**
   * Whether it is a put that stays. One that is hidden may stay yet: by what is written back, or
   * the end of a compaction.
   */
  private static boolean stays(RowPiece piece, int position) {
    return (!piece.dropped().get(position) || piece.hidden().get(position))
        && Coordinates.isPut(piece.cells().get(position));
  }

  private static ByteBuffer id(Cell cell) {
    return PrivateCellUtil.getTag(cell, WriteId.TAG_TYPE)
        .map(tag -> ByteBuffer.wrap(Tag.cloneValue(tag)))
        .orElse(NO_ID);
  }

  /** The deletes of a piece: by version, then by index, then by token. */
  private final class Deletes implements Iterator<Map.Entry<TableName, Cell>> {
    private final RowPiece piece;
    private final BitSet versions;
    private final JoinedVersions joined;
    private int position = -1;
    private Iterator<Index> ofVersion = Collections.emptyIterator();
    private Index index;
    private Iterator<Cell> ofIndex = Collections.emptyIterator();

    /** Behind the twins of the version at the position. */
    private int end;

    /** The positions of those that stay, and may have entries of one that dies. */
    private final BitSet twins = new BitSet();

    /** The entries of these. */
    private final Map<Index, Set<Cell>> spared = new HashMap<>();

    Deletes(RowPiece piece, BitSet versions, JoinedVersions joined) {
      this.piece = piece;
      this.versions = versions;
      this.joined = joined;
    }

    @Override
    public boolean hasNext() {
      while (!ofIndex.hasNext()) {
        if (ofVersion.hasNext()) {
          index = ofVersion.next();
          ofIndex = index.key().areJoined() ? deletesOfJoined() : deletesOfCell();
          continue;
        }
        position = versions.nextSetBit(position + 1);
        if (position < 0) {
          position = versions.length();
          return false;
        }
        findTwins();
        ofVersion = indexes.of(piece.cells().get(position)).iterator();
      }
      return true;
    }

    private Iterator<Cell> deletesOfCell() {
      return indexes.deletes(
          index,
          List.of(piece.cells().get(position)),
          twins.isEmpty() ? Set.of() : spared.computeIfAbsent(index, this::entriesOfTwins));
    }

    private Iterator<Cell> deletesOfJoined() {
      List<Cell> dying = joined.dyingWith(index, position);
      return dying.isEmpty()
          ? Collections.emptyIterator()
          : indexes.deletes(
              index,
              dying,
              indexes.entries(index, joined.staying(index, position, i -> stays(piece, i))));
    }

    /** Once for all versions that are twins of one another. */
    private void findTwins() {
      if (position < end) {
        return;
      }
      int begin = begin(piece, position);
      end = end(piece, position);
      twins.clear();
      spared.clear();
      if (end == begin + 1) {
        return;
      }
      Set<ByteBuffer> ids = new TreeSet<>();
      for (int i = versions.nextSetBit(begin); i >= 0 && i < end; i = versions.nextSetBit(i + 1)) {
        ids.add(id(piece.cells().get(i)));
      }
      for (int i = begin; i < end; i++) {
        twins.set(i, stays(piece, i) && ids.contains(id(piece.cells().get(i))));
      }
    }

    private Set<Cell> entriesOfTwins(Index of) {
      return indexes.entries(of, twins.stream().mapToObj(piece.cells()::get).toList());
    }

    @Override
    public Map.Entry<TableName, Cell> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return Map.entry(tables.computeIfAbsent(index, Index::table), ofIndex.next());
    }
  }
}
