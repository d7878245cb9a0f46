package io.deli.client;

import java.time.Duration;
import java.util.Map;

/**
 * What a table-wide garbage collection did.
 *
 * @param base time of the flush and compaction of the base table, index deletes included
 * @param indexes time of the flush and compaction of the index tables
 * @param bytesBefore size of the store files of each index, by name, after the deletes were flushed
 *     and before the compaction
 * @param bytesAfter the same after the compaction
 */
public record CollectReport(
    Duration base, Duration indexes, Map<String, Long> bytesBefore, Map<String, Long> bytesAfter) {
  public CollectReport {
    bytesBefore = Map.copyOf(bytesBefore);
    bytesAfter = Map.copyOf(bytesAfter);
  }
}
