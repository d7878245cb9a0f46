package io.deli.client.internal.write;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Defers the sending of queues while the answers of a combined request are delivered, so that the
 * operations which the answers trigger leave combined, too: the base Puts after a request of index
 * Puts.
 */
final class DeferredDrain {
  private static final ThreadLocal<Set<ServerQueue>> HELD = new ThreadLocal<>();

  private DeferredDrain() {}

  /** Delivers answers; queues that receive operations meanwhile send them afterwards. */
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

  /** Whether the queue must wait; it will be drained afterwards. */
  static boolean holds(ServerQueue queue) {
    Set<ServerQueue> held = HELD.get();
    if (held == null) {
      return false;
    }
    held.add(queue);
    return true;
  }
}
