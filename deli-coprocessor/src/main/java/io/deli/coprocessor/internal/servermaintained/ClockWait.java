package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.spi.Caller;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Waits until the clock has passed a timestamp.
 *
 * <p>What HBase stamps itself (conditional Puts, Increments, Appends) gets the time of the clock: a
 * version that is applied with a later one would hide it, or a delete would.
 */
final class ClockWait {
  /** Further ahead is only what was drawn before the clock was set back, where HBase hides too. */
  private static final long MOST_MILLIS = 1_000;

  private ClockWait() {}

  static boolean isAhead(long timestamp) {
    return isAhead(timestamp, MOST_MILLIS);
  }

  private static boolean isAhead(long timestamp, long mostMillis) {
    long lead = timestamp - EnvironmentEdgeManager.currentTime();
    return lead > 0 && lead <= mostMillis;
  }

  /** Returns when the timestamp is not ahead any more, or after a second. */
  static void await(long timestamp) throws IOException {
    await(timestamp, MOST_MILLIS);
  }

  /**
   * The same with another bound.
   *
   * @param mostMillis lead, and time, to wait at most; nobody waits for what is further ahead
   */
  static void await(long timestamp, long mostMillis) throws IOException {
    long begun = 0;
    while (isAhead(timestamp, mostMillis)) {
      long now = System.nanoTime();
      begun = begun == 0 ? now : begun;
      if (now - begun >= TimeUnit.MILLISECONDS.toNanos(mostMillis)) {
        return;
      }
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        throw Caller.interrupted("interrupted while a timestamp was waited for", e);
      }
    }
  }
}
