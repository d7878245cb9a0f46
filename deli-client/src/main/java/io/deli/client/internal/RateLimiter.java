package io.deli.client.internal;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Limits how many rows or entries are processed per second. Thread-safe.
 *
 * <p>Time in which less was processed is made up for by a burst of at most one second's worth.
 */
public final class RateLimiter {
  private static final long BURST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int LARGEST_PAGE = 1_000;

  private final long perSecond;
  private long due = System.nanoTime();

  /**
   * @param perSecond 0 for no limit
   */
  public RateLimiter(long perSecond) {
    this.perSecond = perSecond;
  }

  /**
   * Returns how much to process at a time: at most a second's worth, so that no scanner expires.
   */
  public int pageSize() {
    return (int) (perSecond == 0 ? LARGEST_PAGE : Math.min(LARGEST_PAGE, perSecond));
  }

  /** Counts an amount as processed and returns the {@link System#nanoTime} to wait for. */
  public synchronized long reserve(long amount) {
    if (perSecond > 0) {
      due =
          Math.max(due, System.nanoTime() - BURST_NANOS)
              + amount * TimeUnit.SECONDS.toNanos(1) / perSecond;
    }
    return due;
  }

  /** Counts an amount as processed and waits until it is due. */
  public void acquire(long amount) throws InterruptedIOException {
    long until = reserve(amount);
    Futures.sleep(Duration.ofNanos(until - System.nanoTime()));
  }
}
