package io.deli.strategy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.index.ValueType;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The condition of a partial index: another column has a certain value. Immutable; does no I/O.
 *
 * <p>A row is in the index while the newest version of that column has the value. Queries read both
 * columns at once and decide by what they read, so an entry too many costs a read, and one too few
 * a hit. Where a version dies, its entries are deleted whether it has any or not. Only a version
 * that was written together with another value of the condition's column, both by a timestamp drawn
 * for their Put and without visibility labels, has no entries.
 *
 * <p>Readers could meet that version beside an older or newer cell that has the value only if one
 * of the two cells came or went without the other. Both columns are in one family, so the cells of
 * a Put are in the same files, which rewrites keep or drop alike, expire together and are hidden by
 * the same markers of the family. Mutations that would part them are refused, see {@link #refusal}:
 *
 * <ul>
 *   <li>A Put of the indexed column alone, or of the value alone. Another value may be written
 *       alone: it hides the row. VERSIONS may drop an older one for it, but never the newest. Not
 *       with a TTL, an ACL or labels: once it is gone, or to whom it is hidden, older ones show.
 *   <li>A delete of single versions, which resurrects older ones: VERSIONS may have dropped one
 *       cell of a Put and not the other, where the condition's column was written alone.
 *   <li>A delete of all versions of one column and not, up to the same timestamp, of the other.
 *   <li>An Increment or Append of the condition's column: its result is not known ahead.
 * </ul>
 *
 * <p>Versions whose timestamps the application gave have entries in any case: they may lie between
 * cells that were written before the index was made, and not in pairs. So have those with labels:
 * once VERSIONS has dropped one cell of the pair for another without labels, a delete without
 * labels hides that one and not the pair's other cell. A build leaves out rows that hold pairs only
 * and never the value. A value dated ahead of the clock that was written alone before the index was
 * made is not provided for.
 *
 * <p>Older versions are not asked for ({@link Index#unanswerable}): a compaction of some files may
 * drop the newer of two versions of a column there and leave the older one elsewhere.
 *
 * @param indexed the indexed column
 * @param column the condition's column
 */
public record EntryCondition(Column indexed, Column column, byte[] value) {
  public EntryCondition {
    Objects.requireNonNull(value, "value");
  }

  /**
   * Reads the condition of a definition; empty if it has none.
   *
   * @throws InvalidIndexException if it is malformed or on a column that it cannot be on
   */
  public static Optional<EntryCondition> of(IndexDefinition definition) {
    String text = definition.options().get(IndexDefinition.WHERE);
    if (text == null) {
      return Optional.empty();
    }
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw new InvalidIndexException(
          "index '%s': option %s must be family:qualifier=value, not '%s'"
              .formatted(definition.name(), IndexDefinition.WHERE, text));
    }
    EntryCondition condition =
        new EntryCondition(
            definition.column(),
            Column.parse(text.substring(0, equals)),
            ValueType.BYTES.parse(text.substring(equals + 1)));
    if (condition.column.equals(condition.indexed)
        || !Arrays.equals(condition.column.family(), condition.indexed.family())) {
      throw new InvalidIndexException(
          "index '%s': condition %s must be on another column of the family of %s, so that the two are kept and deleted together"
              .formatted(definition.name(), condition, condition.indexed));
    }
    return Optional.of(condition);
  }

  /** Whether a row, as read, is in the index if it has a value. */
  public boolean holds(Result row) {
    Cell newest = row.getColumnLatestCell(column.family(), column.qualifier());
    return newest != null && hasValue(newest);
  }

  private boolean hasValue(Cell cell) {
    return CellUtil.matchingValue(cell, value);
  }

  /**
   * Whether the version that a Put writes by the timestamp drawn for it needs no entries.
   *
   * @param put one that is not {@linkplain #refusal refused}
   */
  boolean leavesOut(Put put, long timestamp) {
    return !isLabelled(put)
        && !timestamps(cells(put), cell -> column.matches(cell) && hasValue(cell))
            .contains(timestamp);
  }

  /**
   * Whether none of the versions of a row needs entries that was written before the index was made.
   *
   * @param stored all cells of the two columns, hidden or not, with tags
   */
  public boolean leavesOut(Result stored) {
    List<Cell> cells = List.of(stored.rawCells());
    return cells.stream().allMatch(cell -> cell.getType() == Cell.Type.Put)
        && cells.stream().noneMatch(ColumnVersions::hasLabel)
        && cells.stream().noneMatch(cell -> column.matches(cell) && hasValue(cell))
        && timestamps(cells, column::matches).containsAll(timestamps(cells, indexed::matches));
  }

  /**
   * Returns what a mutation does that could bring a row into the index without an entry; empty if
   * there is no such thing.
   *
   * @param mutation whose cells have timestamps, but for deletes of the latest version
   */
  Optional<String> refusal(Mutation mutation) {
    List<Cell> cells = cells(mutation);
    if (mutation instanceof Put put) {
      return refusal(put, cells);
    }
    if (mutation instanceof Delete) {
      return ofDelete(cells);
    }
    return cells.stream().anyMatch(column::matches)
        ? Optional.of(mutation.getClass().getSimpleName() + " on column " + column)
        : Optional.empty();
  }

  private Optional<String> refusal(Put put, List<Cell> cells) {
    Set<Long> values = timestamps(cells, indexed::matches);
    Set<Long> conditions = timestamps(cells, column::matches);
    if (!conditions.containsAll(values)) {
      return Optional.of("a Put of %s without %s".formatted(indexed, column));
    }
    if (!values.containsAll(timestamps(cells, cell -> column.matches(cell) && hasValue(cell)))) {
      return Optional.of("a Put of %s without %s".formatted(this, indexed));
    }
    return values.containsAll(conditions) || isPermanentAndPublic(put)
        ? Optional.empty()
        : Optional.of(
            "a Put of %s without %s that has a TTL, an ACL or labels".formatted(column, indexed));
  }

  private Optional<String> ofDelete(List<Cell> markers) {
    if (markers.stream()
        .anyMatch(
            marker ->
                ColumnVersions.mayResurrect(marker, indexed)
                    || ColumnVersions.mayResurrect(marker, column))) {
      return Optional.of("a delete of single versions of %s or %s".formatted(indexed, column));
    }
    // Those of the family are of no column, also where one has no qualifier.
    List<Cell> ofColumns =
        markers.stream().filter(marker -> marker.getType() == Cell.Type.DeleteColumn).toList();
    return timestamps(ofColumns, indexed::matches).equals(timestamps(ofColumns, column::matches))
        ? Optional.empty()
        : Optional.of("a delete of one of %s and %s".formatted(indexed, column));
  }

  /** Whether all see what a Put writes, until something hides it. */
  public static boolean isPermanentAndPublic(Put put) {
    return put.getTTL() == Long.MAX_VALUE && put.getACL() == null && !isLabelled(put);
  }

  private static boolean isLabelled(Put put) {
    return put.getAttribute(VisibilityConstants.VISIBILITY_LABELS_ATTR_KEY) != null;
  }

  private List<Cell> cells(Mutation mutation) {
    return mutation.getFamilyCellMap().getOrDefault(column.family(), List.of());
  }

  private static Set<Long> timestamps(List<Cell> cells, Predicate<Cell> which) {
    return cells.stream().filter(which).map(Cell::getTimestamp).collect(Collectors.toSet());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EntryCondition that
        && indexed.equals(that.indexed)
        && column.equals(that.column)
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * Objects.hash(indexed, column) + Arrays.hashCode(value);
  }

  @Override
  public String toString() {
    return column + "=" + Bytes.toStringBinary(value);
  }
}
