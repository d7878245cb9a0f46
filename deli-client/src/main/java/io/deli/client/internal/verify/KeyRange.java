package io.deli.client.internal.verify;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Row keys of the base table.
 *
 * @param start inclusive; empty for the first
 * @param stop exclusive; empty for the end
 */
record KeyRange(byte[] start, byte[] stop) {
  boolean contains(byte[] key) {
    return Bytes.compareTo(key, start) >= 0 && isBefore(key, stop);
  }

  /** Its parts, cut at some keys, in order. */
  List<KeyRange> cutAt(byte[][] keys) {
    List<KeyRange> parts = new ArrayList<>();
    byte[] from = start;
    for (byte[] key : keys) {
      if (Bytes.compareTo(key, from) > 0 && isBefore(key, stop)) {
        parts.add(new KeyRange(from, key));
        from = key;
      }
    }
    parts.add(new KeyRange(from, stop));
    return parts;
  }

  private static boolean isBefore(byte[] key, byte[] end) {
    return end.length == 0 || Bytes.compareTo(key, end) < 0;
  }
}
