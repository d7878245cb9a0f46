package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.send.EntrySender.IndexPut;
import io.deli.entry.ElapsedTime;
import io.deli.entry.WriteId;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hbase.thirdparty.com.google.common.collect.Iterators;

/** The entries that indexes must hold before a mutation is applied. Used by one thread. */
final class MutationEntries {
  private static final ElapsedTime TIME = ElapsedTime.system();

  private final Mutation mutation;
  private final List<Version> versions = new ArrayList<>(1);
  private List<IndexPut> puts = new ArrayList<>(1);
  private final long begun;
  private final boolean replicated;
  private boolean any;
  private boolean acknowledged;

  private record Version(Index index, BaseVersion version) {
    boolean isOf(Index other, Cell cell) {
      return index.equals(other)
          && version.timestamp() == cell.getTimestamp()
          && CellUtil.matchingValue(cell, version.value());
    }
  }

  /** The present, by a clock that goes on while the server is suspended. */
  static long now() {
    return TIME.getAsLong();
  }

  /**
   * Creates one without entries.
   *
   * @param begun before timestamps were drawn, by {@link #now}
   * @param replicated whether the mutation is one of {@link ReplicatedWrites}
   */
  MutationEntries(Mutation mutation, long begun, boolean replicated) {
    this.mutation = mutation;
    this.begun = begun;
    this.replicated = replicated;
  }

  /**
   * Adds a version.
   *
   * @throws InvalidIndexException if the index cannot hold the value
   */
  private void add(Index index, BaseVersion version) {
    entries(index, version).forEach(put -> puts.add(new IndexPut(index.table(), put)));
    versions.add(new Version(index, version));
    any = !puts.isEmpty();
  }

  /**
   * The entries of a version; none of a replicated one whose value the index does not take. The
   * other cluster has it, and sends nothing else until it is here, too: so it counts as one from
   * before there was the index.
   */
  private List<Put> entries(Index index, BaseVersion version) {
    try {
      return index.write(version, mutation);
    } catch (InvalidIndexException e) {
      if (!replicated || !isOfValue(e)) {
        throw e;
      }
      return List.of();
    }
  }

  /** Whether the index does not take the value, and not its tokenizer has failed. */
  static boolean isOfValue(InvalidIndexException e) {
    return e.getCause() instanceof IllegalArgumentException;
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

  /** Adds all versions that the mutation writes. */
  void require(List<ServerMaintainedIndex> indexes, WriteId id) throws DoNotRetryIOException {
    for (ServerMaintainedIndex each : indexes) {
      for (Cell cell : each.versions(mutation)) {
        require(each.index(), BaseVersion.of(cell, id));
      }
    }
  }

  boolean haveVersions() {
    return !versions.isEmpty();
  }

  /**
   * Whether they are of all versions that the mutation has by now. Those of what is computed are of
   * other values than the mutation's.
   */
  boolean cover(List<ServerMaintainedIndex> indexes) {
    if (RowTimestamps.isComputed(mutation)) {
      return true;
    }
    Iterator<Version> mine = versions.iterator();
    for (ServerMaintainedIndex each : indexes) {
      for (Cell cell : each.versions(mutation)) {
        if (!Iterators.any(mine, version -> version.isOf(each.index(), cell))) {
          return false;
        }
      }
    }
    return true;
  }

  /** The same versions as those of another write. */
  MutationEntries under(WriteId id) {
    MutationEntries again = new MutationEntries(mutation, begun, replicated);
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
    return haveVersions() && !acknowledged && !RowTimestamps.isComputed(mutation);
  }
}
