package io.deli.client.internal.read;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers for a while what was looked into. Most stale entries merely await a compaction; without
 * it, every read of a hot token would look into all of them again. Thread-safe.
 */
final class RecentlyChecked<T> {
  private final Map<T, Long> until;
  private final long millis;

  RecentlyChecked(int capacity, long millis) {
    this.millis = millis;
    this.until =
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<T, Long> eldest) {
            return size() > capacity;
          }
        };
  }

  /** Whether it was not met lately; from now on it was. */
  synchronized boolean enter(T subject, long now) {
    Long known = until.get(subject);
    if (known != null && now < known) {
      return false;
    }
    until.put(subject, now + millis);
    return true;
  }

  synchronized void forget(T subject) {
    until.remove(subject);
  }
}
