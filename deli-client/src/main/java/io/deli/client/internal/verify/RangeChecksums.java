package io.deli.client.internal.verify;

import io.deli.client.internal.KeyRange;
import io.deli.entry.Entry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.hash.HashFunction;
import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;

/**
 * Checksums of key ranges: for each, one over the entries that should exist, less one over those
 * that do. The index is ordered by value, so that only sums, which come out the same in any order,
 * can be compared without looking anything up. Adding is thread-safe.
 */
final class RangeChecksums {
  private static final HashFunction HASH = Hashing.murmur3_128();

  private final NavigableMap<byte[], Sum> ranges = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final long until;

  /**
   * @param until last timestamp that counts; what is younger may be being written
   */
  RangeChecksums(List<KeyRange> ranges, long until) {
    ranges.forEach(range -> this.ranges.put(range.start(), new Sum(range, new LongAdder())));
    this.until = until;
  }

  private record Sum(KeyRange range, LongAdder difference) {}

  /** Adds an entry that should exist. */
  void addWanted(Entry entry) {
    if (entry.timestamp() <= until) {
      ranges.floorEntry(entry.key()).getValue().difference.add(hash(entry));
    }
  }

  /** Adds an entry that exists; returns whether its base row is in a range. */
  boolean addPresent(Entry entry) {
    Map.Entry<byte[], Sum> place = ranges.floorEntry(entry.key());
    if (place == null || !place.getValue().range.contains(entry.key())) {
      return false;
    }
    if (entry.timestamp() <= until) {
      place.getValue().difference.add(-hash(entry));
    }
    return true;
  }

  /** Makes all ranges differ, for an unreadable row of the index. */
  void foundUnreadable() {
    long any = ThreadLocalRandom.current().nextLong();
    ranges.values().forEach(sum -> sum.difference.add(any));
  }

  /** The sum of each range, in their order. */
  List<Long> differences() {
    return ranges.values().stream().map(sum -> sum.difference.sum()).toList();
  }

  /** Adds the sums of another part of the same tables. */
  void add(List<Long> differences) {
    Iterator<Long> next = differences.iterator();
    ranges.values().forEach(sum -> sum.difference.add(next.next()));
  }

  /** Hashes an entry without its write id, which clients do not see in the base table. */
  private static long hash(Entry entry) {
    return HASH.newHasher()
        .putInt(entry.token().length)
        .putBytes(entry.token())
        .putBytes(entry.key())
        .putLong(entry.timestamp())
        .hash()
        .asLong();
  }

  /** The ranges whose sums differ; those that meet are one. */
  List<KeyRange> differing() {
    List<KeyRange> differing = new ArrayList<>();
    for (Sum sum : ranges.values()) {
      if (sum.difference.sum() != 0) {
        byte[] start = sum.range.start();
        int last = differing.size() - 1;
        if (last >= 0 && Arrays.equals(differing.get(last).stop(), start)) {
          start = differing.remove(last).start();
        }
        differing.add(new KeyRange(start, sum.range.stop()));
      }
    }
    return differing;
  }
}
