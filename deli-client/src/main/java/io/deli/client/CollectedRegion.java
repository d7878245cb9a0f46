package io.deli.client;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;

/**
 * A region of a base table, and since when it may hold garbage. Callers must not change the array.
 *
 * @param name HBase's name of it
 * @param bytes size of its store files
 * @param files how many there are
 * @param compacted when all its files of then were last compacted, which collected what had died in
 *     them, unless the index could not be reached; empty if they never were
 */
public record CollectedRegion(
    String name,
    byte[] startKey,
    ServerName server,
    long bytes,
    int files,
    Optional<Instant> compacted) {
  public CollectedRegion {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(startKey, "startKey");
    Objects.requireNonNull(server, "server");
    Objects.requireNonNull(compacted, "compacted");
  }
}
