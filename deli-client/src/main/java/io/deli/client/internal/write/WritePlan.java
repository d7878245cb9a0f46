package io.deli.client.internal.write;

import io.deli.client.internal.KnownIndexes;
import io.deli.strategy.IndexedVersion;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Row;

/**
 * One operation, ready to be carried out.
 *
 * @param requested what the caller gave; never changed
 * @param base what goes to the base table
 * @param versions what the indexes must hold before that
 * @param superseded older versions whose entries are to go when it has been carried out
 * @param begun {@link WriteContext#ticks} before its timestamp was drawn
 * @param timestamp the timestamp of what came without one; empty if nothing did
 * @param known the definitions that it follows
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

  /** Whether only another look at the row tells what became of its versions. */
  boolean looksAgain() {
    return superseded.stream().anyMatch(SupersededRange::ofDelete);
  }

  /** Whether the answer says that a condition did not hold, and nothing was written. */
  boolean wasVoid(Object answer) {
    return answer instanceof CheckAndMutateResult result && !result.isSuccess();
  }
}
