package io.deli.client.internal.write;

import io.deli.index.Index;
import io.deli.strategy.VersionRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;

/**
 * The versions of an indexed column that an operation deletes or supersedes, and whose entries are
 * to go with them: those that a reader sees before it with a timestamp in the range.
 *
 * <p>Whatever might be seen again keeps its entries, for readers to repair. A Put supersedes by the
 * timestamp that was drawn for it, which no marker lies in wait for; not if it expires, is hidden
 * from some, or does not outlive its server. Of a delete the server knows what it hides, so its
 * victims are those that are no longer seen when the row is looked at again. Which version the
 * server found to be the latest, other writers decide: of such a delete those are victims of which
 * that look tells that they were deleted, and not superseded.
 *
 * @param versions how many of the newest count, and are looked at
 * @param from least timestamp, inclusive
 * @param to greatest timestamp, inclusive
 * @param ofLatest the family's rules, if they are of the delete of a column's latest version
 */
record Victims(
    Index index,
    byte[] row,
    int versions,
    long from,
    long to,
    boolean ofDelete,
    Optional<VersionRules> ofLatest) {
  /** Those that a version with a drawn timestamp supersedes. */
  static Optional<Victims> of(Put put, long drawn, Target target) {
    return target.retractsSuperseded() && target.isLasting(put) && isForGoodAndAll(put)
        ? Optional.of(
            new Victims(target.index(), put.getRow(), 1, 0, drawn - 1, false, Optional.empty()))
        : Optional.empty();
  }

  private static boolean isForGoodAndAll(Put put) {
    return put.getTTL() == Long.MAX_VALUE
        && put.getACL() == null
        && put.getAttribute(VisibilityConstants.VISIBILITY_LABELS_ATTR_KEY) == null;
  }

  /**
   * Those that a delete may hide.
   *
   * @param delete with timestamps
   */
  static List<Victims> of(Delete delete, Target target) {
    if (!target.retractsDeleted() || !target.isLasting(delete)) {
      return List.of();
    }
    List<Victims> victims = new ArrayList<>(1);
    if (delete.isEmpty()) {
      victims.add(all(delete, target, 0, delete.getTimestamp()));
    }
    for (Cell marker : target.family(delete)) {
      of(marker, delete, target).ifPresent(victims::add);
    }
    return victims;
  }

  private static Optional<Victims> of(Cell marker, Delete delete, Target target) {
    long timestamp = marker.getTimestamp();
    return switch (marker.getType()) {
      case DeleteFamily -> Optional.of(all(delete, target, 0, timestamp));
      case DeleteFamilyVersion -> Optional.of(all(delete, target, timestamp, timestamp));
      case DeleteColumn ->
          target.isColumnOf(marker)
              ? Optional.of(all(delete, target, 0, timestamp))
              : Optional.empty();
      default ->
          target.isColumnOf(marker) ? Optional.of(one(marker, delete, target)) : Optional.empty();
    };
  }

  /** Without a timestamp the delete is of the newest version. */
  private static Victims one(Cell marker, Delete delete, Target target) {
    return Stamps.isMissing(marker)
        ? new Victims(
            target.index(),
            delete.getRow(),
            target.rules().most(),
            0,
            Long.MAX_VALUE,
            true,
            Optional.of(target.rules()))
        : all(delete, target, marker.getTimestamp(), marker.getTimestamp());
  }

  private static Victims all(Delete delete, Target target, long from, long to) {
    return new Victims(
        target.index(), delete.getRow(), target.rules().most(), from, to, true, Optional.empty());
  }

  boolean include(long timestamp) {
    return timestamp >= from && timestamp <= to;
  }

  /**
   * Whether a version that was one of them is none that the index knows any more.
   *
   * @param seen what a reader sees after the operation, newest first
   */
  boolean areWithout(long timestamp, List<Cell> seen) {
    if (ofLatest.isPresent()) {
      return ofLatest.get().tellDeleted(timestamp, seen);
    }
    return ofDelete
        ? seen.stream().noneMatch(cell -> cell.getTimestamp() == timestamp)
        : seen.isEmpty() || seen.get(0).getTimestamp() != timestamp;
  }
}
