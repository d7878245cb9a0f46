package io.deli.coprocessor.internal.scan;

import io.deli.strategy.ColumnVersions;
import java.io.IOException;
import java.util.PriorityQueue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.ScanInfo;

/**
 * Finds versions that HBase drops since newer ones supersede them, though the newer ones have a
 * time to live of their own and end earlier: where a compaction that was to drop such a version
 * does not come to its end, it is seen again. Must be shown every cell, in order. Not thread-safe.
 */
final class ResurrectionFinder {
  private final RetentionMatcher deletions;
  private final ScanInfo settings;
  private final RetentionRules rules;

  /** The latest times at which newer versions of the column end, as many as decide. */
  private final PriorityQueue<Long> ends = new PriorityQueue<>();

  /** How many: where all versions are retained, those of MIN_VERSIONS. */
  private final int deciding;

  /** The cell before, if it was in one of the columns. */
  private Cell last;

  private long lastEnd;
  private boolean lastStands;
  private boolean lastKept;

  /** Whether a marker is left that hides all of the column from here on. */
  private boolean covered;

  private boolean toStay;

  /**
   * @param deletions drops deleted and expired cells, and no version for exceeding VERSIONS
   */
  ResurrectionFinder(RetentionMatcher deletions, RetentionRules rules) {
    this.deletions = deletions;
    this.rules = rules;
    settings = rules.settings();
    deciding =
        settings.getMaxVersions() == Integer.MAX_VALUE
            ? settings.getMinVersions()
            : settings.getMaxVersions();
  }

  /**
   * Looks at the next cell.
   *
   * @param dropped whether HBase would drop it
   * @return whether it would, and the cell is a version that may be seen again
   */
  boolean returns(Cell cell, boolean dropped) throws IOException {
    boolean stands = deletions.keeps(cell);
    toStay = false;
    if (!rules.revivable().test(cell)) {
      return false;
    }
    if (last == null || !Coordinates.sameColumn(last, cell)) {
      ends.clear();
      lastStands = false;
      covered = false;
    }
    long end = end(cell);
    if (!Coordinates.isPut(cell)) {
      toStay = dropped && !covered && end >= rules.now() && !rules.purge().readsAll(cell);
      noteMarker(cell, !dropped || toStay);
      return false;
    }
    boolean twin = lastStands && last.getTimestamp() == cell.getTimestamp();
    // HBase drops a twin for the newer one, which stands, so no marker deletes them; or only the
    // older one, with NEW_VERSION_BEHAVIOR, which then goes a compaction later for nothing.
    boolean returns =
        dropped
            && (stands || twin)
            && !(twin && lastEnd >= end)
            && !isHiddenFor(end, retained(cell.getTimestamp()));
    if (!twin) {
      note(cell, end, stands);
      lastKept = !dropped;
    }
    toStay = returns && (!rules.purge().readsAll(cell) || isOlderLeft(cell, twin));
    return returns;
  }

  /** Whether older versions may be left without entries where all files are read: behind a twin. */
  private boolean isOlderLeft(Cell cell, boolean twin) {
    return twin && lastKept && settings.getMaxVersions() > 1 && rules.lasting().test(cell);
  }

  /**
   * Whether the cell has to stay, lest an older version be seen in its place, which may have lost
   * its entries to a compaction that did not come to its end: one that returns, or a marker, which
   * HBase passes over with the versions that it drops, though these end, or are deleted.
   */
  boolean isToStay() {
    return toStay;
  }

  private void noteMarker(Cell cell, boolean stays) {
    last = cell;
    lastStands = false;
    // With tags, it may hide from some readers only.
    covered |=
        stays
            && cell.getType() == Cell.Type.DeleteColumn
            && !PrivateCellUtil.tagsIterator(cell).hasNext();
  }

  private void note(Cell cell, long end, boolean stands) {
    last = cell;
    lastEnd = end;
    lastStands = stands;
    if (stands) {
      ends.add(end);
      if (ends.size() > deciding) {
        ends.remove();
      }
    }
  }

  /** Whether so many newer versions end no earlier. */
  private boolean isHiddenFor(long end, int retained) {
    if (ends.size() < retained) {
      return false;
    }
    return retained == settings.getMaxVersions()
        ? ends.element() >= end
        : ends.stream().filter(each -> each >= end).count() >= retained;
  }

  private int retained(long timestamp) {
    return settings.getMinVersions() > 0 && rules.now() - timestamp > settings.getTtl()
        ? settings.getMinVersions()
        : settings.getMaxVersions();
  }

  /**
   * The time at which the version expires, if MIN_VERSIONS does not retain it; of a marker, the
   * latest of what it hides.
   */
  private long end(Cell cell) {
    long own = ColumnVersions.end(cell);
    long ttl = settings.getTtl();
    return settings.getMinVersions() > 0 || ttl > Long.MAX_VALUE - cell.getTimestamp()
        ? own
        : Math.min(own, cell.getTimestamp() + ttl);
  }

  void beforeShipped() throws IOException {
    deletions.beforeShipped();
    if (last != null) {
      last = KeyValueUtil.toNewKeyCell(last);
    }
  }
}
