package io.deli.client.internal.write;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Holds back what the answers of one combined request set off until all of them are delivered, so
 * that it leaves combined, too: the base Puts behind a request of index Puts.
 */
final class Cork {
  private static final ThreadLocal<Set<Lane>> HELD = new ThreadLocal<>();

  private Cork() {}

  /** Delivers answers; the lanes that get operations meanwhile send when it is done. */
  static void during(Runnable delivery) {
    if (HELD.get() != null) {
      delivery.run();
      return;
    }
    Set<Lane> held = new LinkedHashSet<>();
    HELD.set(held);
    try {
      delivery.run();
    } finally {
      HELD.remove();
      held.forEach(Lane::drain);
    }
  }

  /** Whether the lane must wait; it will be told to go on. */
  static boolean holds(Lane lane) {
    Set<Lane> held = HELD.get();
    if (held == null) {
      return false;
    }
    held.add(lane);
    return true;
  }
}
