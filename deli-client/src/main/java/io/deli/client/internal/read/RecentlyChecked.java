package io.deli.client.internal.read;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Remembers recently checked subjects for a time and within a memory limit. Most stale entries
 * merely await a compaction; without this, every read of a hot token would have all of them checked
 * again. Thread-safe.
 */
final class RecentlyChecked<T> {
  private final Map<T, Long> until = new LinkedHashMap<>();
  private final long most;
  private final ToLongFunction<T> size;
  private final long millis;
  private long bytes;

  /**
   * @param most bytes to take
   * @param size bytes that one takes
   */
  RecentlyChecked(long most, ToLongFunction<T> size, long millis) {
    this.most = most;
    this.size = size;
    this.millis = millis;
  }

  /** Adds a subject; returns whether it was not checked recently. */
  synchronized boolean enter(T subject, long now) {
    Long known = until.get(subject);
    if (known != null && now < known) {
      return false;
    }
    if (until.put(subject, now + millis) == null) {
      bytes += size.applyAsLong(subject);
    }
    Iterator<T> eldest = until.keySet().iterator();
    while (bytes > most) {
      bytes -= size.applyAsLong(eldest.next());
      eldest.remove();
    }
    return true;
  }

  synchronized void forget(T subject) {
    if (until.remove(subject) != null) {
      bytes -= size.applyAsLong(subject);
    }
  }
}
