package io.deli.client.internal.read;

import io.deli.entry.Entry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;

/**
 * Entries in scan order, not yet verified.
 *
 * @param conjunction whose driver's entries they are
 * @param groups what was read; sizes of pages are counted in groups
 * @param bases the base rows by key, if it is they that were scanned
 * @param next where the scan goes on; empty when all conjunctions are done
 */
record EntryPage(
    int conjunction,
    List<EntryGroup> groups,
    Optional<Map<byte[], Result>> bases,
    Optional<Position> next) {
  /** Returns the number of entries. */
  int entries() {
    return groups.stream().mapToInt(group -> group.entries().size()).sum();
  }

  /**
   * Entries of one base row in one row of the table scanned, in scan order.
   *
   * @param end the place behind them
   */
  record EntryGroup(List<Entry> entries, Position end) {
    /** The place behind one of them. */
    Position behind(Entry entry) {
      return Position.behind(end.conjunction(), end.row(), entry);
    }
  }
}
