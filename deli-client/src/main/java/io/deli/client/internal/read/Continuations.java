package io.deli.client.internal.read;

import io.deli.client.Continuation;
import io.deli.client.internal.KeyRange;
import io.deli.strategy.Lookup;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Positions to continuations and back.
 *
 * <pre>
 *   1 byte    format version
 *   16 bytes  fingerprint of the query
 *   4 bytes   conjunction, of those that are scanned together the first
 *   8 bytes   timestamp
 *   4 bytes   length of the base row key
 *   so many   base row key
 *   rest      row of the index table
 * </pre>
 */
final class Continuations {
  private static final byte FORMAT = 3;
  private static final int HEADER =
      1 + Fingerprint.LENGTH + Integer.BYTES + Long.BYTES + Integer.BYTES;

  private Continuations() {}

  static Continuation write(Fingerprint fingerprint, Position position) {
    return Continuation.of(
        ByteBuffer.allocate(HEADER + position.key().length + position.row().length)
            .put(FORMAT)
            .put(fingerprint.bytes())
            .putInt(position.conjunction())
            .putLong(position.timestamp())
            .putInt(position.key().length)
            .put(position.key())
            .put(position.row())
            .array());
  }

  /**
   * Reads a position back.
   *
   * @throws IllegalArgumentException if it is no continuation, or none of this query
   */
  static Position read(
      Continuation continuation, Fingerprint fingerprint, List<Conjunction> conjunctions) {
    ByteBuffer in = ByteBuffer.wrap(continuation.toBytes());
    if (in.remaining() < 1) {
      throw none(continuation);
    }
    byte format = in.get();
    if (format != FORMAT) {
      throw new IllegalArgumentException(
          "'%s' is no continuation in format %d, the one this DELI reads. Start the query again, or resume it with the version that began it."
              .formatted(continuation, FORMAT));
    }
    if (in.capacity() < HEADER) {
      throw none(continuation);
    }
    byte[] query = new byte[Fingerprint.LENGTH];
    in.get(query);
    if (!fingerprint.matches(query)) {
      throw new IllegalArgumentException(
          "the continuation '%s' belongs to another query: table, index definitions, conditions, reversed, asOf, versions and rows must be the same"
              .formatted(continuation));
    }
    int conjunction = in.getInt();
    long timestamp = in.getLong();
    int keyLength = in.getInt();
    if (keyLength < 0 || keyLength > in.remaining()) {
      throw none(continuation);
    }
    byte[] key = new byte[keyLength];
    in.get(key);
    byte[] row = new byte[in.remaining()];
    in.get(row);
    Position position = new Position(conjunction, row, timestamp, key);
    if (!within(position, conjunctions)) {
      throw none(continuation);
    }
    return position;
  }

  private static boolean within(Position position, List<Conjunction> conjunctions) {
    if (position.conjunction() < 0
        || position.conjunction() >= conjunctions.size()
        || position.timestamp() < Position.WHOLE_ROW
        || position.timestamp() == Long.MAX_VALUE) {
      return false;
    }
    if (conjunctions.get(position.conjunction()).scansBase()) {
      return position.conjunction() == QueryPlan.scanOf(conjunctions, position.conjunction());
    }
    Lookup lookup = conjunctions.get(position.conjunction()).lookup();
    return position.atStart()
        || new KeyRange(lookup.startRow(), lookup.stopRow()).contains(position.row());
  }

  private static IllegalArgumentException none(Continuation continuation) {
    return new IllegalArgumentException("'" + continuation + "' is no continuation of a query");
  }
}
