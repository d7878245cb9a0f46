package io.deli.tools.advise;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The ranges of a region's row keys that are neither read nor known to be empty, and draws from
 * them.
 *
 * <p>A key that is drawn has, behind the bytes that all unread keys share, bytes between the least
 * and the greatest that keys there were seen to have: keys of digits give keys of digits, where
 * halving the space between two keys would mostly fall between the digits. Since no draw falls into
 * a gap twice, a few rows far away from all others cost a few reads and not the sample.
 */
final class UnreadKeys {
  /** So often a draw from all unread keys may fall between them, before one range is chosen. */
  private static final int TRIES = 1_000;

  private final NavigableMap<byte[], byte[]> ranges = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final NavigableSet<byte[]> seen = new TreeSet<>(Bytes.BYTES_COMPARATOR);

  /**
   * All keys of a range.
   *
   * @param end exclusive
   */
  UnreadKeys(byte[] first, byte[] end) {
    ranges.put(first, end);
  }

  boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Learns how keys look. */
  void see(byte[] key) {
    seen.add(key);
  }

  /** Takes out what was read, or found to be empty, from a key to another, exclusive. */
  void take(byte[] from, byte[] end) {
    List<Map.Entry<byte[], byte[]>> before = List.copyOf(ranges.headMap(end, false).entrySet());
    for (Map.Entry<byte[], byte[]> range : before) {
      if (Bytes.compareTo(from, range.getValue()) < 0) {
        ranges.remove(range.getKey());
        put(range.getKey(), from);
        put(end, range.getValue());
      }
    }
  }

  private void put(byte[] from, byte[] end) {
    if (Bytes.compareTo(from, end) < 0) {
      ranges.put(from, end);
    }
  }

  /** An unread key; there must be one. */
  byte[] draw(Random random) {
    byte[] first = ranges.firstKey();
    byte[] end = ranges.lastEntry().getValue();
    Shape shape = Shape.of(seen.subSet(first, true, end, true));
    for (int i = 0; i < TRIES; i++) {
      byte[] key = shape.between(first, end, random);
      Map.Entry<byte[], byte[]> range = ranges.floorEntry(key);
      if (range != null && Bytes.compareTo(key, range.getValue()) < 0) {
        return key;
      }
    }
    List<Map.Entry<byte[], byte[]>> all = List.copyOf(ranges.entrySet());
    Map.Entry<byte[], byte[]> range = all.get(random.nextInt(all.size()));
    byte[] key = shape.between(range.getKey(), range.getValue(), random);
    boolean within =
        Bytes.compareTo(range.getKey(), key) <= 0 && Bytes.compareTo(key, range.getValue()) < 0;
    return within ? key : range.getKey();
  }

  /**
   * The bytes of keys, place by place.
   *
   * @param least bytes, unsigned
   * @param greatest bytes, as many
   */
  private record Shape(int[] least, int[] greatest) {
    static Shape of(Collection<byte[]> keys) {
      int length = keys.stream().mapToInt(key -> key.length).max().orElse(0);
      int[] least = new int[length];
      int[] greatest = new int[length];
      Arrays.fill(least, Byte.MAX_VALUE - Byte.MIN_VALUE);
      for (byte[] key : keys) {
        for (int i = 0; i < key.length; i++) {
          least[i] = Math.min(least[i], Byte.toUnsignedInt(key[i]));
          greatest[i] = Math.max(greatest[i], Byte.toUnsignedInt(key[i]));
        }
      }
      return new Shape(least, greatest);
    }

    /** A key that mostly is between two others. */
    byte[] between(byte[] first, byte[] end, Random random) {
      int common = Arrays.mismatch(first, end);
      byte[] key = Arrays.copyOf(first, Math.max(common + 1, least.length));
      int from = common < first.length ? Byte.toUnsignedInt(first[common]) : 0;
      key[common] = draw(from, Byte.toUnsignedInt(end[common]), random);
      for (int i = common + 1; i < key.length; i++) {
        key[i] = draw(least[i], greatest[i], random);
      }
      return key;
    }

    private static byte draw(int from, int to, Random random) {
      return (byte) (from + random.nextInt(to - from + 1));
    }
  }
}
