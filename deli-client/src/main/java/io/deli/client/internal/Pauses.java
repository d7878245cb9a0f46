package io.deli.client.internal;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits of callers for whom nothing is to be done meanwhile. */
public final class Pauses {
  private Pauses() {}

  /** Returns when so much time has passed, at once if that is not positive. */
  public static void pause(Duration length) throws InterruptedIOException {
    try {
      TimeUnit.NANOSECONDS.sleep(length.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException("stopped waiting").initCause(e);
    }
  }
}
