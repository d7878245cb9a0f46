package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.send.EntrySender.IndexPut;
import io.deli.entry.ElapsedTime;
import io.deli.entry.WriteId;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.IndexedVersion;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Mutation;

/** The entries that indexes must hold before a mutation is applied. Used by one thread. */
final class MutationEntries {
  private static final ElapsedTime TIME = ElapsedTime.system();

  private final Mutation mutation;
  private final List<IndexedVersion> versions = new ArrayList<>(1);
  private final List<IndexPut> puts = new ArrayList<>(1);
  private final long begun;
  private boolean acknowledged;

  /** The present, by a clock that goes on while the server is suspended. */
  static long now() {
    return TIME.getAsLong();
  }

  /**
   * Creates one without entries.
   *
   * @param begun before timestamps were drawn, by {@link #now}
   */
  MutationEntries(Mutation mutation, long begun) {
    this.mutation = mutation;
    this.begun = begun;
  }

  /**
   * Adds a version.
   *
   * @throws io.deli.index.InvalidIndexException if the index cannot hold the value
   */
  void add(Index index, BaseVersion version) {
    add(IndexedVersion.of(index, version, mutation));
  }

  private void add(IndexedVersion version) {
    version.puts().forEach(put -> puts.add(new IndexPut(version.index().table(), put)));
    versions.add(version);
  }

  /** The same versions as those of another write. */
  MutationEntries under(WriteId id) {
    MutationEntries again = new MutationEntries(mutation, begun);
    versions.forEach(version -> again.add(version.withWriteId(id)));
    return again;
  }

  List<IndexPut> puts() {
    return puts;
  }

  Mutation mutation() {
    return mutation;
  }

  boolean isOlderThan(long nanos) {
    return !puts.isEmpty() && now() - begun > nanos;
  }

  void acknowledge() {
    acknowledged = true;
  }

  boolean isAcknowledged() {
    return acknowledged;
  }
}
