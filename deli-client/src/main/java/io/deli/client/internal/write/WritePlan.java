package io.deli.client.internal.write;

import io.deli.client.internal.KnownIndexes;
import io.deli.strategy.IndexedVersion;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Row;

/**
 * A planned operation. Immutable.
 *
 * @param requested the caller's operation; never changed
 * @param base the stamped operation for the base table
 * @param versions the versions whose entries must be acknowledged first
 * @param superseded older versions whose entries are deleted afterwards
 * @param begun {@link WriteContext#ticks} before its timestamp was drawn
 * @param timestamp the timestamp drawn for the operation; empty if none was needed
 * @param known the definitions that it was planned by
 */
public record WritePlan(
    Row requested,
    Row base,
    List<IndexedVersion> versions,
    List<SupersededRange> superseded,
    long begun,
    Optional<ClientTimestamp> timestamp,
    KnownIndexes known) {

  /** Whether there are entries to write first. */
  boolean hasEntries() {
    return !versions.isEmpty();
  }

  /** Whether an earlier timestamp of it was refused. */
  boolean wasRefused() {
    return timestamp.filter(drawn -> drawn.refusals() > 0).isPresent();
  }

  /** Whether the row must be read again to find the superseded versions. */
  boolean looksAgain() {
    return superseded.stream().anyMatch(SupersededRange::ofDelete);
  }

  /** Whether the condition did not hold, so that nothing was written. */
  boolean wasVoid(Object answer) {
    return answer instanceof CheckAndMutateResult result && !result.isSuccess();
  }
}
