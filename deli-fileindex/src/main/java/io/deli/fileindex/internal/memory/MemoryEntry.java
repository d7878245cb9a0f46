package io.deli.fileindex.internal.memory;

import java.util.Comparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;

/** A token of a version in memory. */
public record MemoryEntry(byte[] token, long timestamp, byte[] row) {
  /** By token; those of one token newest first. */
  static final Comparator<MemoryEntry> ORDER = MemoryEntry::compare;

  private static int compare(MemoryEntry one, MemoryEntry other) {
    int order = Bytes.compareTo(one.token, other.token);
    if (order == 0) {
      order = Long.compare(other.timestamp, one.timestamp);
    }
    return order == 0 ? Bytes.compareTo(one.row, other.row) : order;
  }

  /** At or ahead of all with the token. */
  static MemoryEntry first(byte[] token) {
    return new MemoryEntry(token, Long.MAX_VALUE, HConstants.EMPTY_BYTE_ARRAY);
  }
}
