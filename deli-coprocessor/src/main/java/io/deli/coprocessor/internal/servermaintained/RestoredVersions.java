package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.send.EntrySender.IndexPut;
import io.deli.entry.WriteId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/** The versions that a delete exposes, and their entries. Used by one thread. */
final class RestoredVersions {
  private final boolean ofEach;
  private final List<Version> versions = new ArrayList<>(1);
  private List<IndexPut> puts = new ArrayList<>(1);
  private final long begun = MutationEntries.now();
  private boolean acknowledged;
  private IOException failure;

  /** A version with entries under an id of their own. */
  record Version(ForgetfulColumn column, Cell cell, WriteId id) {
    boolean isOf(ForgetfulColumn other, Cell there) {
      return column.equals(other)
          && cell.getTimestamp() == there.getTimestamp()
          && CellUtil.matchingValue(cell, there)
          && WriteId.of(cell).equals(WriteId.of(there));
    }
  }

  /**
   * @param ofEach whether the delete fails by itself
   */
  RestoredVersions(boolean ofEach) {
    this.ofEach = ofEach;
  }

  void add(Version version, List<IndexPut> entries) {
    versions.add(version);
    puts.addAll(entries);
  }

  List<Version> versions() {
    return versions;
  }

  /** The entries that are still to be sent. */
  List<IndexPut> puts() {
    return puts;
  }

  void acknowledge() {
    acknowledged = true;
    puts = List.of();
  }

  boolean isAcknowledged() {
    return acknowledged;
  }

  /** Records why the delete is not to be applied, or throws it if that concerns its batch. */
  void fail(IOException reason) throws IOException {
    if (!ofEach) {
      throw reason;
    }
    failure = reason;
    puts = List.of();
  }

  boolean isOfEach() {
    return ofEach;
  }

  /** The reason not to apply the delete, or null. */
  IOException failure() {
    return failure;
  }

  boolean isOlderThan(long nanos) {
    return !versions.isEmpty() && MutationEntries.now() - begun > nanos;
  }
}
