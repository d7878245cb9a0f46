package io.deli.client.internal.build;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Waits of whoever builds. */
final class Pauses {
  private Pauses() {}

  static void pause(long millis) throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException("stopped").initCause(e);
    }
  }
}
