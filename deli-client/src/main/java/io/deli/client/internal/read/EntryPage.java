package io.deli.client.internal.read;

import io.deli.entry.Entry;
import java.util.List;
import java.util.Optional;

/**
 * Entries in scan order, not yet verified.
 *
 * @param conjunction whose driver's entries they are
 * @param next where the scan goes on; empty when all conjunctions are done
 */
record EntryPage(int conjunction, List<EntryRow> rows, Optional<Position> next) {
  /** The entries in one row of the index table, in scan order; all have the same token and key. */
  record EntryRow(byte[] row, List<Entry> entries) {}
}
