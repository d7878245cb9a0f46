package io.deli.client.internal.write;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Holds back what the answers of one combined request set off until all of them are delivered, so
 * that it leaves combined, too: the base Puts behind a request of index Puts.
 */
final class DeferredDrain {
  private static final ThreadLocal<Set<ServerQueue>> HELD = new ThreadLocal<>();

  private DeferredDrain() {}

  /** Delivers answers; the lanes that get operations meanwhile send when it is done. */
  static void during(Runnable delivery) {
    if (HELD.get() != null) {
      delivery.run();
      return;
    }
    Set<ServerQueue> held = new LinkedHashSet<>();
    HELD.set(held);
    try {
      delivery.run();
    } finally {
      HELD.remove();
      held.forEach(ServerQueue::drain);
    }
  }

  /** Whether the lane must wait; it will be told to go on. */
  static boolean holds(ServerQueue queue) {
    Set<ServerQueue> held = HELD.get();
    if (held == null) {
      return false;
    }
    held.add(queue);
    return true;
  }
}
