package io.deli.strategy;

import io.deli.index.Column;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FilterList.Operator;
import org.apache.hadoop.hbase.filter.QualifierFilter;

/**
 * All stored versions and delete markers of one column in one row, and which of them are visible by
 * the family's rules. Immutable; does no I/O.
 *
 * <p>A version is <em>living</em> if it is seen, or will be without another write: behind versions
 * that have a time to live of their own it comes to light when these expire first. The entries of
 * living versions are in the index; those of others may be collected already. So a delete that
 * makes versions living must have their entries restored first.
 *
 * <p>Such a delete names a version by its timestamp, or the latest; all other kinds hide what is
 * older, too. It makes living at most as many versions as it hides, and those that are behind
 * passing ones of these.
 */
public final class ColumnVersions {
  private final Column column;

  /** Newest first; of several at one timestamp, that which is seen. */
  private final List<Cell> puts;

  private final List<Cell> markers;

  /** The timestamps of single versions that are hidden. */
  private final Set<Long> hidden = new HashSet<>();

  /** The newest timestamp up to which all are. */
  private long allHidden = Long.MIN_VALUE;

  private ColumnVersions(Column column, List<Cell> puts, List<Cell> markers) {
    this.column = column;
    this.puts = puts;
    this.markers = markers;
    for (Cell marker : markers) {
      if (!isConcernedBy(marker)) {
        continue;
      }
      if (hidesOlder(marker)) {
        allHidden = Math.max(allHidden, marker.getTimestamp());
      } else {
        hidden.add(marker.getTimestamp());
      }
    }
  }

  /** Returns a scan of all stored versions and markers of a column in a row. */
  public static Scan scan(Column column, byte[] row) {
    return scan(new KeyColumns(List.of(column)), row);
  }

  /** Returns a scan of all stored versions and markers of columns in a row. */
  public static Scan scan(KeyColumns columns, byte[] row) {
    // A raw scan takes no column, and the markers of the family have none.
    return new Scan()
        .withStartRow(row)
        .withStopRow(row, true)
        .setOneRowLimit()
        .addFamily(columns.all().get(0).family())
        .setFilter(
            new FilterList(
                Operator.MUST_PASS_ONE,
                KeyColumns.filter(columns.all()),
                new QualifierFilter(
                    CompareOperator.EQUAL, new BinaryComparator(HConstants.EMPTY_BYTE_ARRAY))))
        .readAllVersions()
        .setRaw(true);
  }

  /**
   * Collects the versions that such a scan has returned.
   *
   * @param cells in HBase's order; those of other columns are passed over
   */
  public static ColumnVersions of(Column column, Iterable<Cell> cells) {
    List<Cell> puts = new ArrayList<>();
    List<Cell> markers = new ArrayList<>();
    for (Cell cell : cells) {
      if (cell.getType() != Cell.Type.Put) {
        markers.add(cell);
      } else if (column.matches(cell)
          && (puts.isEmpty() || puts.get(puts.size() - 1).getTimestamp() != cell.getTimestamp())) {
        puts.add(cell);
      }
    }
    return new ColumnVersions(column, puts, markers);
  }

  /** Returns the versions with additional delete markers, each with a timestamp. */
  public ColumnVersions under(Collection<Cell> deletes) {
    List<Cell> all = new ArrayList<>(markers);
    all.addAll(deletes);
    return new ColumnVersions(column, puts, all);
  }

  /** Returns the newest version that no marker hides. */
  public Optional<Cell> newest() {
    return puts.stream().filter(put -> !isHidden(put)).findFirst();
  }

  /** Returns the version at a timestamp, unless a marker hides it; superseded or not. */
  public Optional<Cell> unhidden(long timestamp) {
    int place = newerThan(timestamp);
    return place < puts.size() && puts.get(place).getTimestamp() == timestamp
        ? Optional.of(puts.get(place)).filter(put -> !isHidden(put))
        : Optional.empty();
  }

  /**
   * Whether a marker deletes a single version of a column, so that an older one may be resurrected.
   */
  public static boolean mayResurrect(Cell marker, Column column) {
    return marker.getType() == Cell.Type.DeleteFamilyVersion
        || (marker.getType() == Cell.Type.Delete && column.matches(marker));
  }

  boolean mayResurrect(Cell marker) {
    return mayResurrect(marker, column);
  }

  /** Returns all versions, newest first, visible or not. */
  public List<Cell> all() {
    return List.copyOf(puts);
  }

  List<Cell> markers() {
    return markers;
  }

  /** How many versions are newer than a timestamp, visible or not. */
  int newerThan(long timestamp) {
    int least = 0;
    int most = puts.size();
    while (least < most) {
      int middle = (least + most) >>> 1;
      if (puts.get(middle).getTimestamp() > timestamp) {
        least = middle + 1;
      } else {
        most = middle;
      }
    }
    return least;
  }

  /** Returns the visible versions, newest first. */
  public List<Cell> seen(VersionRules rules, long now) {
    List<Cell> seen = new ArrayList<>();
    for (Cell put : puts) {
      if (!isHidden(put) && rules.show(put.getTimestamp(), seen.size(), now)) {
        seen.add(put);
      }
    }
    return seen;
  }

  /**
   * Returns the versions that deletes resurrect; none if the family never resurrects versions.
   *
   * @param known how many of the newest versions the index knows, at most
   */
  public ResurrectedVersions resurrected(VersionRules rules, int known, long now) {
    return new ResurrectedVersions(this, rules, known, now);
  }

  private boolean isHidden(Cell put) {
    return put.getTimestamp() <= allHidden || hidden.contains(put.getTimestamp());
  }

  /** Whether a marker hides versions of the column. */
  boolean isConcernedBy(Cell marker) {
    return marker.getType() == Cell.Type.DeleteFamily
        || marker.getType() == Cell.Type.DeleteFamilyVersion
        || column.matches(marker);
  }

  /** Whether a marker hides all that are older, too, and not one version alone. */
  static boolean hidesOlder(Cell marker) {
    return marker.getType() == Cell.Type.DeleteFamily || marker.getType() == Cell.Type.DeleteColumn;
  }

  /**
   * The time at which a version ends by itself, and then shows what it superseded; {@link
   * Long#MAX_VALUE} for never. The family's TTL does not count.
   */
  public static long end(Cell put) {
    return PrivateCellUtil.getTag(put, TagType.TTL_TAG_TYPE)
        .map(Tag::getValueAsLong)
        .filter(ttl -> ttl < Long.MAX_VALUE - put.getTimestamp())
        .map(ttl -> put.getTimestamp() + ttl)
        .orElse(Long.MAX_VALUE);
  }

  static boolean hasLabel(Cell cell) {
    return PrivateCellUtil.getTag(cell, TagType.VISIBILITY_TAG_TYPE).isPresent();
  }
}
