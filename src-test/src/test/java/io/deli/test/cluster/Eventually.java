package io.deli.test.cluster;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Waiter;

/** Waits for what happens in the background. */
public final class Eventually {
  private static final long HERE_MILLIS = 30_000;
  private static final long ELSEWHERE_MILLIS = 120_000;

  private Eventually() {}

  /** An assertion that may fail at first. */
  @FunctionalInterface
  public interface Assertion {
    void check() throws Exception;
  }

  /** Waits until the clock shows another millisecond. */
  public static void nextMillisecond() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() <= now) {
      Thread.onSpinWait();
    }
  }

  /** Waits for what this JVM does. */
  public static void holds(Assertion assertion) throws Exception {
    within(HERE_MILLIS, 50, assertion);
  }

  /** Waits for what other processes do. */
  public static void holdsElsewhere(Assertion assertion) throws Exception {
    within(ELSEWHERE_MILLIS, 100, assertion);
  }

  private static void within(long limitMillis, long pollMillis, Assertion assertion)
      throws Exception {
    AssertionError[] last = new AssertionError[1];
    long outcome =
        Waiter.waitFor(
            new Configuration(false),
            limitMillis,
            pollMillis,
            false,
            () -> {
              try {
                assertion.check();
                return true;
              } catch (AssertionError e) {
                last[0] = e;
                return false;
              }
            });
    if (outcome < 0) {
      throw last[0];
    }
  }
}
