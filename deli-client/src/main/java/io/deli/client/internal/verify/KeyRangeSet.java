package io.deli.client.internal.verify;

import io.deli.client.internal.KeyRange;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/** Ranges of row keys that do not overlap. */
final class KeyRangeSet {
  private final NavigableMap<byte[], KeyRange> byStart = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  KeyRangeSet(List<KeyRange> ranges) {
    ranges.forEach(range -> byStart.put(range.start(), range));
  }

  boolean isEmpty() {
    return byStart.isEmpty();
  }

  Collection<KeyRange> inOrder() {
    return byStart.values();
  }

  boolean contains(byte[] key) {
    Map.Entry<byte[], KeyRange> place = byStart.floorEntry(key);
    return place != null && place.getValue().contains(key);
  }
}
