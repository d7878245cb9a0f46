package io.deli.client.internal.verify;

import io.deli.client.internal.Pauses;
import java.io.InterruptedIOException;
import java.time.Duration;

/** Holds back what goes faster than asked for. Not thread-safe. */
final class Throttle {
  private static final int PAGE = 1_000;

  private final int perSecond;
  private final long begun = System.nanoTime();
  private long taken;

  /**
   * @param perSecond 0 for no limit
   */
  Throttle(int perSecond) {
    this.perSecond = perSecond;
  }

  /** How much to take at a time: less than a second's worth, so that no scanner expires. */
  int page() {
    return perSecond == 0 ? PAGE : Math.min(PAGE, perSecond);
  }

  /** Waits until so much more was due. */
  void took(int amount) throws InterruptedIOException {
    taken += amount;
    if (perSecond > 0) {
      sleepUntil(begun + (long) (taken * 1e9 / perSecond));
    }
  }

  static void sleepUntil(long nanoTime) throws InterruptedIOException {
    Pauses.pause(Duration.ofNanos(nanoTime - System.nanoTime()));
  }
}
