package io.deli.test.model;

import io.deli.client.TimestampOracle;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A clock that the test moves, and the timestamps drawn from it: each one greater than all before.
 * It stands years behind the servers' clock, so that no timestamp of theirs meets one of its own.
 */
final class TestTime implements TimestampOracle, InstantSource {
  static final long START = 1_500_000_000_000L;

  private record Draw(byte[] row, long timestamp) {}

  private final List<Draw> draws = new ArrayList<>();
  private long now = START;

  @Override
  public synchronized long next(byte[] row) {
    now++;
    draws.add(new Draw(row.clone(), now));
    return now;
  }

  @Override
  public synchronized long millis() {
    return now;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  synchronized void advance(long millis) {
    now += millis;
  }

  /** Takes the first timestamp drawn for the row that was not taken yet. */
  synchronized long take(byte[] row) {
    for (Draw draw : draws) {
      if (Arrays.equals(draw.row(), row)) {
        draws.remove(draw);
        return draw.timestamp();
      }
    }
    throw new AssertionError("the client drew no timestamp for a write that needs one");
  }

  /** Takes the last timestamp drawn for the row and forgets those before it. */
  synchronized long takeLast(byte[] row) {
    long last = take(row);
    while (draws.stream().anyMatch(draw -> Arrays.equals(draw.row(), row))) {
      last = take(row);
    }
    return last;
  }

  /** Forgets what nobody took; returns how many. */
  synchronized int forget() {
    int left = draws.size();
    draws.clear();
    return left;
  }
}
