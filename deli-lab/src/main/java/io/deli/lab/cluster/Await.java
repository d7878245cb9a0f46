package io.deli.lab.cluster;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other processes do. */
public final class Await {
  private static final long GLANCE_NANOS = Duration.ofMillis(100).toNanos();

  private Await() {}

  /** Returns whether the condition came true in that time. */
  public static boolean until(Duration limit, BooleanSupplier condition) {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      LockSupport.parkNanos(GLANCE_NANOS);
    }
    return true;
  }
}
