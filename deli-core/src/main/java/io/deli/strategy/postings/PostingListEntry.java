package io.deli.strategy.postings;

import io.deli.entry.WriteId;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An entry of a list: what an index entry is without its token. Newest first, then by key and id;
 * compared by content.
 */
record PostingListEntry(byte[] key, long timestamp, WriteId id)
    implements Comparable<PostingListEntry> {
  @Override
  public int compareTo(PostingListEntry other) {
    int order = Long.compare(other.timestamp, timestamp);
    if (order == 0) {
      order = Bytes.compareTo(key, other.key);
    }
    return order == 0 ? Bytes.compareTo(id.toBytes(), other.id.toBytes()) : order;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PostingListEntry that && compareTo(that) == 0;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(timestamp) + Bytes.hashCode(key);
  }

  /** Whether it may not be cut off from another: they are of one version. */
  boolean sharesPlaceWith(PostingListEntry other) {
    return timestamp == other.timestamp && Bytes.equals(key, other.key);
  }
}
