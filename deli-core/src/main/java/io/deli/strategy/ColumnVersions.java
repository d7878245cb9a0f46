package io.deli.strategy;

import io.deli.index.Column;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
  /** Newest first; of several at one timestamp, that which is seen. */
  private final List<Cell> puts = new ArrayList<>();

  private final List<Cell> markers = new ArrayList<>();

  private final Column column;

  private ColumnVersions(Column column) {
    this.column = column;
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
    ColumnVersions versions = new ColumnVersions(column);
    for (Cell cell : cells) {
      if (cell.getType() != Cell.Type.Put) {
        versions.markers.add(cell);
      } else if (column.matches(cell)) {
        versions.addPut(cell);
      }
    }
    return versions;
  }

  private void addPut(Cell cell) {
    if (puts.isEmpty() || puts.get(puts.size() - 1).getTimestamp() != cell.getTimestamp()) {
      puts.add(cell);
    }
  }

  /** Returns the versions with additional delete markers, each with a timestamp. */
  public ColumnVersions under(Collection<Cell> deletes) {
    ColumnVersions under = new ColumnVersions(column);
    under.puts.addAll(puts);
    under.markers.addAll(markers);
    under.markers.addAll(deletes);
    return under;
  }

  /** Returns the newest version that no marker hides. */
  public Optional<Cell> newest() {
    return puts.stream().filter(put -> !isHidden(put, markers)).findFirst();
  }

  /** Returns the version at a timestamp, unless a marker hides it; superseded or not. */
  public Optional<Cell> unhidden(long timestamp) {
    return puts.stream()
        .filter(put -> put.getTimestamp() == timestamp)
        .filter(put -> !isHidden(put, markers))
        .findFirst();
  }

  /**
   * Whether a marker deletes a single version of a column, so that an older one may be resurrected.
   */
  public static boolean mayResurrect(Cell marker, Column column) {
    return marker.getType() == Cell.Type.DeleteFamilyVersion
        || (marker.getType() == Cell.Type.Delete && column.matches(marker));
  }

  /** Returns all versions, newest first, visible or not. */
  public List<Cell> all() {
    return List.copyOf(puts);
  }

  /** Returns the visible versions, newest first. */
  public List<Cell> seen(VersionRules rules, long now) {
    return shown(rules, now, markers, true);
  }

  /**
   * Returns the versions that deletes resurrect, newest first; none if the family never resurrects
   * versions.
   *
   * <p>There may be more than those: of versions that end by themselves no scan tells whether older
   * twins last, and the markers of labels hide some versions of a timestamp and not others.
   *
   * @param deletes markers of the row and family; one without a timestamp, of this column, is of
   *     the latest version, and the second of the one before
   * @param known how many of the newest versions the index knows, at most
   */
  public List<Cell> resurrectedBy(
      Collection<Cell> deletes, VersionRules rules, int known, long now) {
    if (!rules.canResurrect()) {
      return List.of();
    }
    List<Cell> after = new ArrayList<>(markers);
    after.removeIf(ColumnVersions::hasLabel);
    List<Cell> latest = seen(rules, now);
    int unstamped = 0;
    for (Cell delete : deletes) {
      if (delete.getTimestamp() != HConstants.LATEST_TIMESTAMP) {
        after.add(delete);
      } else if (mayResurrect(delete, column) && unstamped < latest.size()) {
        // Stands for the marker that it will be.
        after.add(latest.get(unstamped));
        unstamped++;
      }
    }
    VersionRules ofIndex = rules.ofNewest(known);
    Set<Long> before =
        seen(ofIndex, now).stream().map(Cell::getTimestamp).collect(Collectors.toSet());
    return shown(ofIndex, now, after, false).stream()
        .filter(cell -> !before.contains(cell.getTimestamp()))
        .toList();
  }

  private List<Cell> shown(VersionRules rules, long now, List<Cell> under, boolean countPassing) {
    List<Cell> shown = new ArrayList<>();
    List<Cell> passing = new ArrayList<>();
    for (Cell put : puts) {
      if (isHidden(put, under)) {
        continue;
      }
      long end = countPassing ? Long.MAX_VALUE : end(put);
      if (rules.show(put.getTimestamp(), shown.size() - endBefore(end, passing), now)) {
        shown.add(put);
        if (end != Long.MAX_VALUE) {
          passing.add(put);
        }
      }
    }
    return shown;
  }

  private boolean isHidden(Cell put, List<Cell> under) {
    return under.stream().anyMatch(marker -> hides(marker, put));
  }

  /** A version stands for the marker of it. */
  private boolean hides(Cell marker, Cell put) {
    return switch (marker.getType()) {
      case DeleteFamily -> put.getTimestamp() <= marker.getTimestamp();
      case DeleteFamilyVersion -> put.getTimestamp() == marker.getTimestamp();
      case DeleteColumn -> put.getTimestamp() <= marker.getTimestamp() && column.matches(marker);
      default -> put.getTimestamp() == marker.getTimestamp() && column.matches(marker);
    };
  }

  private static int endBefore(long end, List<Cell> passing) {
    return (int) passing.stream().filter(each -> end(each) < end).count();
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
