package io.deli.lab.torture;

import java.util.ArrayList;
import java.util.List;

/**
 * The findings of a soak.
 *
 * @param queuedCalls that waited at one server, at most
 * @param canary latencies of single operations on another, plain table
 * @param longestMoveMillis from the request to service
 */
public record SoakReport(
    long seconds,
    long writes,
    long failedWrites,
    List<Heap> heaps,
    long queuedCalls,
    Canary canary,
    int moves,
    long longestMoveMillis,
    Audit audit) {
  /** Caches fill for some minutes; before they are full, memory says nothing. */
  private static final long JUDGED_SECONDS = 600;

  private static final long CANARY_MILLIS = 10_000;
  private static final long MOVE_MILLIS = 60_000;

  private static final double GROWTH = 1.25;
  private static final long SLACK_BYTES = 32L << 20;

  /** The bytes that a process held in the second and in the last third of the time. */
  public record Heap(String process, long middleBytes, long lastBytes, boolean flat) {
    static Heap of(String process, List<Long> samples) {
      long middle = held(samples, 1);
      long last = held(samples, 2);
      return new Heap(process, middle, last, last <= middle * GROWTH + SLACK_BYTES);
    }

    /** Right after a collection there is no garbage, so the least of many samples is held. */
    private static long held(List<Long> samples, int third) {
      return samples.subList(samples.size() * third / 3, samples.size() * (third + 1) / 3).stream()
          .mapToLong(Long::longValue)
          .min()
          .orElse(0);
    }
  }

  public record Canary(long calls, double median, double p99, double longest) {}

  public boolean isClean() {
    return failedWrites == 0
        && (!isLong() || heaps.stream().allMatch(Heap::flat))
        && canary.longest() <= CANARY_MILLIS
        && longestMoveMillis <= MOVE_MILLIS
        && audit.isExact();
  }

  private boolean isLong() {
    return seconds >= JUDGED_SECONDS;
  }

  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%d s, %d writes (%d a second), %d failed"
            .formatted(seconds, writes, writes / Math.max(1, seconds), failedWrites));
    for (Heap heap : heaps) {
      lines.add(
          "heap of %s: %d MB in the middle third, %d MB in the last: %s"
              .formatted(
                  heap.process(),
                  heap.middleBytes() >> 20,
                  heap.lastBytes() >> 20,
                  !isLong() ? "too short a time to tell" : heap.flat() ? "flat" : "it grows"));
    }
    lines.add("calls queued at a server, at most: " + queuedCalls);
    lines.add(
        "other work: %d calls, median %.1f ms, 99th percentile %.1f ms, longest %.1f ms"
            .formatted(canary.calls(), canary.median(), canary.p99(), canary.longest()));
    lines.add("moves of regions: %d, the longest %d ms".formatted(moves, longestMoveMillis));
    lines.add(audit.line());
    return lines;
  }
}
