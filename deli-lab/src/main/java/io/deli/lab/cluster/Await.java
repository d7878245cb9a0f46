package io.deli.lab.cluster;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other processes do. */
public final class Await {
  private static final long GLANCE_NANOS = Duration.ofMillis(100).toNanos();

  private Await() {}

  @FunctionalInterface
  public interface Condition<E extends Exception> {
    boolean holds() throws E;
  }

  /** Returns whether the condition came true in that time. */
  public static <E extends Exception> boolean until(Duration limit, Condition<E> condition)
      throws E {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      LockSupport.parkNanos(GLANCE_NANOS);
    }
    return true;
  }
}
