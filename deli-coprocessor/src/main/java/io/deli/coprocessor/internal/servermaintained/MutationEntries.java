package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.send.EntrySender.IndexPut;
import io.deli.entry.ElapsedTime;
import io.deli.entry.WriteId;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Mutation;

/** The entries that indexes must hold before a mutation is applied. Used by one thread. */
final class MutationEntries {
  private static final ElapsedTime TIME = ElapsedTime.system();

  private final Mutation mutation;
  private final List<Version> versions = new ArrayList<>(1);
  private List<IndexPut> puts = new ArrayList<>(1);
  private final long begun;
  private boolean any;
  private boolean acknowledged;

  private record Version(Index index, BaseVersion version) {}

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
   * @throws InvalidIndexException if the index cannot hold the value
   */
  private void add(Index index, BaseVersion version) {
    index.write(version, mutation).forEach(put -> puts.add(new IndexPut(index.table(), put)));
    versions.add(new Version(index, version));
    any = !puts.isEmpty();
  }

  /**
   * The same in the course of a write.
   *
   * @throws DoNotRetryIOException if the index cannot hold the value
   */
  void require(Index index, BaseVersion version) throws DoNotRetryIOException {
    try {
      add(index, version);
    } catch (InvalidIndexException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  /** The same versions as those of another write. */
  MutationEntries under(WriteId id) {
    MutationEntries again = new MutationEntries(mutation, begun);
    versions.forEach(each -> again.add(each.index(), each.version().withWriteId(id)));
    return again;
  }

  /** The entries that are still to be acknowledged. */
  List<IndexPut> puts() {
    return puts;
  }

  Mutation mutation() {
    return mutation;
  }

  boolean isOlderThan(long nanos) {
    return any && now() - begun > nanos;
  }

  void acknowledge() {
    acknowledged = true;
    puts = List.of();
  }

  /**
   * Whether they should have been acknowledged before the row was locked and are not. Those of what
   * is computed are sent later.
   */
  boolean areMissing() {
    return !acknowledged && !RowTimestamps.isComputed(mutation);
  }
}
