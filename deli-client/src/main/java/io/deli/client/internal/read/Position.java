package io.deli.client.internal.read;

import org.apache.hadoop.hbase.HConstants;

/**
 * A place in the entries of a plan: behind one entry, or at the start of a conjunction.
 *
 * @param conjunction which of the plan's
 * @param row of the table that is scanned; empty at the conjunction's start
 * @param timestamp of the last entry passed in that row; {@link #WHOLE_ROW} if all of them are
 */
record Position(int conjunction, byte[] row, long timestamp) {
  static final long WHOLE_ROW = -1;

  static Position startOf(int conjunction) {
    return new Position(conjunction, HConstants.EMPTY_BYTE_ARRAY, WHOLE_ROW);
  }

  static Position behindRow(int conjunction, byte[] row) {
    return new Position(conjunction, row, WHOLE_ROW);
  }

  boolean atStart() {
    return row.length == 0;
  }

  boolean behindWholeRow() {
    return timestamp == WHOLE_ROW;
  }
}
