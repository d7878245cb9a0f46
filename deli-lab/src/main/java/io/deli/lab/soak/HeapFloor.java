package io.deli.lab.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether what a process holds in memory stays the same. In use is also garbage; right after a
 * collection there is none, so the least of many samples is what is held. Not thread-safe.
 */
final class HeapFloor {
  private static final double GROWTH = 1.25;
  private static final long SLACK_BYTES = 32L << 20;

  private final List<Long> samples = new ArrayList<>();

  void add(long bytes) {
    samples.add(bytes);
  }

  /**
   * The bytes that were held in a third of the time: the first, when caches still fill, the second
   * or the third.
   */
  long bytes(int third) {
    int from = samples.size() * third / 3;
    int to = samples.size() * (third + 1) / 3;
    return samples.subList(from, to).stream().mapToLong(Long::longValue).min().orElse(0);
  }

  /** Whether the last third holds no more than the one before, give or take. */
  boolean isFlat() {
    return bytes(2) <= bytes(1) * GROWTH + SLACK_BYTES;
  }
}
