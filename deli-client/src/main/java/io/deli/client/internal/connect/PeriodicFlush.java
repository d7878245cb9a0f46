package io.deli.client.internal.connect;

import java.util.Timer;
import java.util.TimerTask;

/** Runs a task at an interval, on a daemon thread of its own, once it is set to. */
final class PeriodicFlush {
  private final Runnable task;
  private Timer timer;

  PeriodicFlush(Runnable task) {
    this.task = task;
  }

  /** Sets the interval; 0 stops it. */
  synchronized void every(long millis) {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    if (millis > 0) {
      timer = new Timer("deli-periodic-flush", true);
      timer.schedule(
          new TimerTask() {
            @Override
            public void run() {
              task.run();
            }
          },
          millis,
          millis);
    }
  }
}
