package io.deli.test.cluster;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Waiter;

/** Waits for what other processes do. */
final class Eventually {
  private static final long LIMIT_MILLIS = 120_000;

  private Eventually() {}

  /** An assertion that may fail at first. */
  interface Assertion {
    void check() throws Exception;
  }

  static void holds(Assertion assertion) throws Exception {
    AssertionError[] last = new AssertionError[1];
    long outcome =
        Waiter.waitFor(
            new Configuration(false),
            LIMIT_MILLIS,
            100,
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
