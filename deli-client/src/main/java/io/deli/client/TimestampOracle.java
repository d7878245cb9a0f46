package io.deli.client;

/**
 * Draws the timestamps of writes that come without one.
 *
 * <p>Contract: for one row, each timestamp is greater than all drawn for that row before, so that
 * two writes of one client never tie; timestamps are milliseconds since the epoch, or close ahead
 * of it. Thread-safe. Rows of different tables may share a sequence.
 *
 * <p>A base region refuses a timestamp that is no newer than what the row was given last, or that
 * is ahead of the region server's clock. The write then gets one by that server's clock, and so
 * much as the two differ is added to what the oracle draws next.
 */
@FunctionalInterface
public interface TimestampOracle {
  /** The timestamp of the next write to the row. */
  long next(byte[] row);
}
