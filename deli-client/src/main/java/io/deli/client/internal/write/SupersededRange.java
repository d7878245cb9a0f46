package io.deli.client.internal.write;

import io.deli.strategy.EntryCondition;
import io.deli.strategy.Index;
import io.deli.strategy.VersionRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;

/**
 * The versions of an indexed column that an operation supersedes or deletes, and whose entries are
 * deleted with them: those visible before the operation with a timestamp in the range.
 *
 * <p>A version that might become visible again keeps its entries, which read repair deletes later:
 *
 * <ul>
 *   <li>A Put supersedes versions only by a timestamp drawn for it, since no delete marker can be
 *       ahead of that; not if the Put has a TTL, an ACL or visibility labels of its own, or skips
 *       the log.
 *   <li>A delete counts for the versions that are no longer visible when the row is read again.
 *   <li>Which version a delete of the latest one removed depends on other writers; so it counts for
 *       those that the second read shows to be deleted and not superseded.
 * </ul>
 *
 * @param versions how many of the newest versions count
 * @param from least timestamp, inclusive
 * @param to greatest timestamp, inclusive
 * @param ofDelete whether the operation is a delete
 * @param ofLatest the family's rules if the operation deletes a column's latest version
 */
record SupersededRange(
    Index index,
    byte[] row,
    int versions,
    long from,
    long to,
    boolean ofDelete,
    Optional<VersionRules> ofLatest) {
  /** Returns the versions that a Put supersedes by a timestamp drawn for it. */
  static Optional<SupersededRange> of(Put put, long drawn, MaintainedIndex maintained) {
    return maintained.retractsSuperseded()
            && maintained.isLasting(put)
            && EntryCondition.isPermanentAndPublic(put)
        ? Optional.of(
            new SupersededRange(
                maintained.index(), put.getRow(), 1, 0, drawn - 1, false, Optional.empty()))
        : Optional.empty();
  }

  /**
   * Returns the ranges of versions that a delete may hide.
   *
   * @param delete with timestamps, except on deletes of the latest version
   */
  static List<SupersededRange> of(Delete delete, MaintainedIndex maintained) {
    if (!maintained.retractsDeleted() || !maintained.isLasting(delete)) {
      return List.of();
    }
    List<SupersededRange> superseded = new ArrayList<>(1);
    if (delete.isEmpty()) {
      superseded.add(all(delete, maintained, 0, delete.getTimestamp()));
    }
    for (Cell marker : maintained.family(delete)) {
      of(marker, delete, maintained).ifPresent(superseded::add);
    }
    return superseded;
  }

  private static Optional<SupersededRange> of(
      Cell marker, Delete delete, MaintainedIndex maintained) {
    long timestamp = marker.getTimestamp();
    return switch (marker.getType()) {
      case DeleteFamily -> Optional.of(all(delete, maintained, 0, timestamp));
      case DeleteFamilyVersion -> Optional.of(all(delete, maintained, timestamp, timestamp));
      case DeleteColumn ->
          maintained.isColumnOf(marker)
              ? Optional.of(all(delete, maintained, 0, timestamp))
              : Optional.empty();
      default ->
          maintained.isColumnOf(marker)
              ? Optional.of(one(marker, delete, maintained))
              : Optional.empty();
    };
  }

  /** A delete of one version; without a timestamp, of the latest. */
  private static SupersededRange one(Cell marker, Delete delete, MaintainedIndex maintained) {
    return Timestamps.isMissing(marker)
        ? new SupersededRange(
            maintained.index(),
            delete.getRow(),
            maintained.rules().most(),
            0,
            Long.MAX_VALUE,
            true,
            Optional.of(maintained.rules()))
        : all(delete, maintained, marker.getTimestamp(), marker.getTimestamp());
  }

  private static SupersededRange all(
      Delete delete, MaintainedIndex maintained, long from, long to) {
    return new SupersededRange(
        maintained.index(),
        delete.getRow(),
        maintained.rules().most(),
        from,
        to,
        true,
        Optional.empty());
  }

  boolean includes(long timestamp) {
    return timestamp >= from && timestamp <= to;
  }

  /**
   * Whether a version in this range has gone from the index's view of the row.
   *
   * @param seen the visible versions after the operation, newest first
   */
  boolean isGone(long timestamp, List<Cell> seen) {
    if (ofLatest.isPresent()) {
      return ofLatest.get().tellDeleted(timestamp, seen);
    }
    return ofDelete
        ? seen.stream().noneMatch(cell -> cell.getTimestamp() == timestamp)
        : seen.isEmpty() || seen.get(0).getTimestamp() != timestamp;
  }
}
