package io.deli.coprocessor.internal.index;

import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;

/**
 * The indexes on columns of one family whose entries are taken out when versions are dropped.
 *
 * @param indexes those that can be kept
 * @param unresolved columns with an index that cannot, for want of its tokenizer or strategy
 * @param everything whether any column might be indexed, by a definition that cannot be read
 * @param companions columns that an index of any strategy reads together with others of the family.
 *     Cells of one write must stay equally long in all of them. Otherwise, once a newer write with
 *     a time to live expires, readers may pair cells of two writes, for which there is no entry
 * @param retracted columns of other indexes, whose versions lose their entries when they are
 *     deleted, or superseded
 */
public record FamilyIndexes(
    List<Index> indexes,
    List<Column> unresolved,
    boolean everything,
    List<Column> companions,
    List<Column> retracted) {
  public static final FamilyIndexes NONE = new FamilyIndexes(List.of(), List.of(), false);

  /** Creates one without companions and retracted columns. */
  public FamilyIndexes(List<Index> indexes, List<Column> unresolved, boolean everything) {
    this(indexes, unresolved, everything, List.of(), List.of());
  }

  /** Whether the cell is a version of a column that is, or may be, indexed, or of a companion. */
  public boolean covers(Cell cell) {
    return hasIndex(cell) || mayHaveAnother(cell) || isOfCompanion(cell);
  }

  /** Whether no version has entries that could go, or may have. */
  public boolean collectsNothing() {
    return indexes.isEmpty() && unresolved.isEmpty() && !everything;
  }

  /** Whether the cell is a version whose entries can be found here, to be deleted with it. */
  public boolean collects(Cell cell) {
    return hasIndex(cell) && !mayHaveAnother(cell);
  }

  /**
   * Whether superseded versions of the cell's column, or of its companion, may have lost entries
   * ahead of any rewrite.
   */
  public boolean forgets(Cell cell) {
    return indexes.stream()
            .anyMatch(
                index ->
                    index.versions() == 1 && (index.key().include(cell) || isOfCompanion(cell)))
        || isRetracted(cell);
  }

  /** Whether it matters to the cell's column that a version may be seen again. */
  public boolean isRevivable(Cell cell) {
    return covers(cell) || isRetracted(cell);
  }

  /** Whether versions of the cell's column that are not seen may have lost their entries. */
  public boolean isRetracted(Cell cell) {
    return isOf(retracted, cell);
  }

  /** Whether the index need not have the entries of superseded versions, as far as rewrites go. */
  public boolean forgets(Index index) {
    return index.versions() == 1
        && indexes.stream().anyMatch(each -> each.name().equals(index.name()))
        && index.key().all().stream().noneMatch(this::hasUnresolved);
  }

  /** Whether the column may have an index that cannot be kept here. */
  boolean hasUnresolved(Column column) {
    return everything || unresolved.contains(column);
  }

  private boolean isOfCompanion(Cell cell) {
    return isOf(companions, cell);
  }

  private static boolean isOf(List<Column> columns, Cell cell) {
    // Mostly there are none, and a stream for each cell costs.
    return !columns.isEmpty() && columns.stream().anyMatch(column -> column.matches(cell));
  }

  private boolean hasIndex(Cell cell) {
    for (Index index : indexes) {
      if (index.key().include(cell)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the cell may have entries in an index that cannot be kept here. */
  private boolean mayHaveAnother(Cell cell) {
    return everything || isOf(unresolved, cell);
  }

  /**
   * The indexes that have entries of the cell.
   *
   * @throws IllegalStateException if another may have, which cannot be kept here
   */
  public List<Index> of(Cell cell) {
    if (mayHaveAnother(cell)) {
      throw new IllegalStateException("an index of this column cannot be used here");
    }
    List<Index> matching = new ArrayList<>(indexes.size());
    for (Index index : indexes) {
      if (index.key().include(cell)) {
        matching.add(index);
      }
    }
    return matching;
  }

  /**
   * The entries of versions in one of the {@linkplain #of indexes} of their column.
   *
   * @throws RuntimeException whatever a tokenizer throws; so for errors
   */
  public Set<Cell> entries(Index index, List<Cell> versions) {
    Set<Cell> entries = new TreeSet<>(CellComparator.getInstance());
    versions.stream().map(FamilyIndexes::version).flatMap(index::retractions).forEach(entries::add);
    return entries;
  }

  /**
   * The delete markers of dying versions' entries in one of the {@linkplain #of indexes} of their
   * columns. They are made as they are asked for, since a value may have any number of tokens.
   *
   * @param spared entries that are not to be deleted
   * @throws RuntimeException here or later, whatever a tokenizer throws; so for errors
   */
  public Iterator<Cell> deletes(Index index, List<Cell> dying, Set<Cell> spared) {
    Stream<Cell> deletes =
        dying.size() == 1
            ? index.retractions(version(dying.get(0)))
            : dying.stream().map(FamilyIndexes::version).flatMap(index::retractions);
    return spared.isEmpty()
        ? deletes.iterator()
        : deletes.filter(marker -> !spared.contains(marker)).iterator();
  }

  private static BaseVersion version(Cell cell) {
    return BaseVersion.of(cell, WriteId.of(cell));
  }
}
