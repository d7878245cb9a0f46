package io.deli.client.internal;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A range of row keys of a table.
 *
 * @param start inclusive; empty for the table's first row
 * @param stop exclusive; empty for the table's end
 */
public record KeyRange(byte[] start, byte[] stop) {
  public boolean contains(byte[] key) {
    return Bytes.compareTo(key, start) >= 0 && isBefore(key, stop);
  }

  /** Splits the range at those of the keys that lie in it; the keys are in order. */
  public List<KeyRange> splitAt(byte[][] keys) {
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

  public Scan restrict(Scan scan) {
    return scan.withStartRow(start).withStopRow(stop);
  }
}
