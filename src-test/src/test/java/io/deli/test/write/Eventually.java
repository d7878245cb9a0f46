package io.deli.test.write;

import io.deli.test.cluster.MiniCluster;
import org.apache.hadoop.hbase.Waiter;

/** Waits for what happens in the background. */
final class Eventually {
  private static final long LIMIT_MILLIS = 30_000;

  private Eventually() {}

  /** An assertion that may fail at first. */
  interface Assertion {
    void check() throws Exception;
  }

  static void holds(Assertion assertion) throws Exception {
    AssertionError[] last = new AssertionError[1];
    long outcome =
        Waiter.waitFor(
            MiniCluster.utility().getConfiguration(),
            LIMIT_MILLIS,
            50,
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
