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
 * @param bases the base rows by key, if it is they that were scanned
 * @param next where the scan goes on; empty when all conjunctions are done
 */
record EntryPage(
    int conjunction,
    List<EntryRow> rows,
    Optional<Map<byte[], Result>> bases,
    Optional<Position> next) {
  /** The entries in one row of the table scanned, in scan order. */
  record EntryRow(byte[] row, List<Entry> entries) {}
}
