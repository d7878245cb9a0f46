package io.deli.client;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * The result of a table-wide garbage collection.
 *
 * @param base time of the flush and compaction of the base table, index deletes included
 * @param indexes time of the flush and compaction of the index tables
 * @param bytesBefore size of the store files of each index, by name, after the deletes were flushed
 *     and before the compaction
 * @param bytesAfter the same after the compaction
 * @param left names of regions of the base table and the index tables that were not compacted, so
 *     that their garbage is there still: they moved or split all the time, had no server, or
 *     compactions are switched off
 * @param kept how many dead versions regions of the base table kept, by name, for the deletes of
 *     their entries were not acknowledged: an index was not reached or refused them, or its
 *     tokenizer failed. Their entries are, in part, there still
 */
public record CollectReport(
    Duration base,
    Duration indexes,
    Map<String, Long> bytesBefore,
    Map<String, Long> bytesAfter,
    Set<String> left,
    Map<String, Long> kept) {
  public CollectReport {
    bytesBefore = Map.copyOf(bytesBefore);
    bytesAfter = Map.copyOf(bytesAfter);
    left = Set.copyOf(left);
    kept = Map.copyOf(kept);
  }

  /** Whether every region that was due was compacted, and kept nothing that is dead. */
  public boolean isComplete() {
    return left.isEmpty() && kept.isEmpty();
  }
}
