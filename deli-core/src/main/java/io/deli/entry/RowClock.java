package io.deli.entry;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The clock, made strictly increasing for each row. Thread-safe.
 *
 * <p>Rows share a few thousand stripes, each of which remembers its last timestamp. A stripe runs
 * ahead of the clock only while its rows take more than a thousand writes a second, or after the
 * clock was set back.
 */
public final class RowClock {
  private static final int STRIPES = 1 << 12;

  private final InstantSource clock;
  private final AtomicLongArray last = new AtomicLongArray(STRIPES);

  public RowClock(InstantSource clock) {
    this.clock = clock;
  }

  /** A timestamp greater than all before for the row. */
  public long next(byte[] row) {
    return last.accumulateAndGet(
        stripe(row), clock.millis(), (previous, now) -> Math.max(previous + 1, now));
  }

  private static int stripe(byte[] row) {
    int hash = Arrays.hashCode(row) * 0x9E3779B9;
    return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(STRIPES));
  }
}
