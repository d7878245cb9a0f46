package io.deli.coprocessor.internal.serve;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Keeps timestamps behind the clock.
 *
 * <p>What HBase stamps itself (conditional Puts, Increments, Appends) gets the time of the clock: a
 * version that is applied with a later one would hide it, or a delete would.
 */
final class StampWait {
  /** Further ahead is only what was drawn before the clock was set back, where HBase hides too. */
  private static final long MOST_MILLIS = 1_000;

  private StampWait() {}

  static boolean isAhead(long timestamp) {
    long lead = timestamp - EnvironmentEdgeManager.currentTime();
    return lead > 0 && lead <= MOST_MILLIS;
  }

  /** Returns when the timestamp is not ahead any more, or after a second. */
  static void await(long timestamp) throws IOException {
    long begun = System.nanoTime();
    while (isAhead(timestamp)
        && System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS)) {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException)
            new InterruptedIOException("interrupted while a timestamp was waited for").initCause(e);
      }
    }
  }
}
