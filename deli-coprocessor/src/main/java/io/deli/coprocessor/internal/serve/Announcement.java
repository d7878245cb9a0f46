package io.deli.coprocessor.internal.serve;

import io.deli.coprocessor.internal.send.IndexPut;
import io.deli.entry.WriteId;
import io.deli.index.Index;
import io.deli.strategy.BaseVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Mutation;

/** What the indexes are to hold before a mutation is applied. Used by one thread. */
final class Announcement {
  private final Mutation mutation;
  private final List<Version> versions = new ArrayList<>(1);
  private final List<IndexPut> puts = new ArrayList<>(1);
  private final long begun;
  private boolean acknowledged;

  private record Version(Index index, BaseVersion version) {}

  /**
   * Of nothing yet.
   *
   * @param begun before timestamps were drawn, by {@link System#nanoTime}
   */
  Announcement(Mutation mutation, long begun) {
    this.mutation = mutation;
    this.begun = begun;
  }

  /**
   * Adds a version.
   *
   * @throws io.deli.index.InvalidIndexException if the index cannot hold the value
   */
  void add(Index index, BaseVersion version) {
    index.write(version, mutation).forEach(put -> puts.add(new IndexPut(index.table(), put)));
    versions.add(new Version(index, version));
  }

  /** The same versions as those of another write. */
  Announcement under(WriteId id) {
    Announcement again = new Announcement(mutation, begun);
    for (Version each : versions) {
      BaseVersion version = each.version();
      again.add(
          each.index(), new BaseVersion(version.key(), version.value(), version.timestamp(), id));
    }
    return again;
  }

  /** Whether the version is among them, under whatever id. */
  boolean holds(Index index, BaseVersion version) {
    return versions.stream()
        .anyMatch(
            each ->
                each.index().equals(index)
                    && each.version().timestamp() == version.timestamp()
                    && Arrays.equals(each.version().value(), version.value()));
  }

  List<IndexPut> puts() {
    return puts;
  }

  boolean isOlderThan(long nanos) {
    return !puts.isEmpty() && System.nanoTime() - begun > nanos;
  }

  void acknowledge() {
    acknowledged = true;
  }

  boolean isAcknowledged() {
    return acknowledged;
  }
}
