package io.deli.client.internal.read;

import io.deli.entry.Buckets;
import io.deli.entry.Entry;
import io.deli.query.TokenRange;
import io.deli.strategy.Lookup;
import java.util.Comparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A place in the entries of a plan: behind one entry, or at the start of a conjunction.
 *
 * @param conjunction which of the plan's
 * @param row of the table that is scanned, without salt; empty at the conjunction's start
 * @param timestamp of the last entry passed in that row; {@link #WHOLE_ROW} if all of them are
 * @param key base row key of the last entry passed in that row
 */
record Position(int conjunction, byte[] row, long timestamp, byte[] key) {
  static final long WHOLE_ROW = -1;

  static Position startOf(int conjunction) {
    return behindRow(conjunction, HConstants.EMPTY_BYTE_ARRAY);
  }

  static Position behindRow(int conjunction, byte[] row) {
    return new Position(conjunction, row, WHOLE_ROW, HConstants.EMPTY_BYTE_ARRAY);
  }

  static Position behind(int conjunction, byte[] row, Entry last) {
    return new Position(conjunction, row, last.timestamp(), last.key());
  }

  /** Returns the same place in a bucket, as its scan knows it. */
  Position in(int bucket, Buckets buckets) {
    return atStart() ? this : new Position(conjunction, buckets.row(bucket, row), timestamp, key);
  }

  /** The order in which a scan comes to places that are behind rows, or behind entries of lists. */
  static Comparator<Position> order(boolean reversed) {
    Comparator<Position> rows = Comparator.comparing(Position::row, Bytes.BYTES_COMPARATOR);
    Comparator<Position> entries =
        Comparator.comparingLong(Position::timestamp)
            .reversed()
            .thenComparing(Position::key, Bytes.BYTES_COMPARATOR);
    return Comparator.comparingInt(Position::conjunction)
        .thenComparing(reversed ? rows.reversed() : rows)
        .thenComparing(Position::behindWholeRow)
        .thenComparing(reversed ? entries.reversed() : entries);
  }

  boolean isBehind(Position other, boolean reversed) {
    return (conjunction == other.conjunction && other.atStart())
        ? !atStart()
        : order(reversed).compare(this, other) > 0;
  }

  boolean atStart() {
    return row.length == 0;
  }

  boolean behindWholeRow() {
    return timestamp == WHOLE_ROW;
  }

  /** Returns the rest of a lookup behind this position. */
  Lookup rest(Lookup lookup, boolean reversed) {
    if (atStart()) {
      return lookup;
    }
    byte[] bound = behindWholeRow() == reversed ? row : TokenRange.successor(row);
    return reversed
        ? lookup.between(HConstants.EMPTY_START_ROW, bound)
        : lookup.between(bound, HConstants.EMPTY_END_ROW);
  }

  /** Whether it is behind an entry of its row, which are read newest first, or oldest first. */
  boolean passed(Entry entry, boolean oldestFirst) {
    int order = Long.compare(timestamp, entry.timestamp());
    if (order == 0) {
      order = Bytes.compareTo(entry.key(), key);
    }
    return oldestFirst ? order >= 0 : order <= 0;
  }

  /** Whether the other is the same place. */
  boolean isAt(Position other) {
    return conjunction == other.conjunction
        && timestamp == other.timestamp
        && Bytes.equals(row, other.row)
        && Bytes.equals(key, other.key);
  }
}
