package io.deli.test.model;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** How often each kind of step was taken and how long these took together. Not thread-safe. */
public final class Stopwatch {
  private record Sum(int steps, long nanos) {
    Sum plus(Sum other) {
      return new Sum(steps + other.steps, nanos + other.nanos);
    }

    @Override
    public String toString() {
      return "%d in %.1f s".formatted(steps, (double) nanos / TimeUnit.SECONDS.toNanos(1));
    }
  }

  /** Something to time. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  private final Map<String, Sum> sums = new TreeMap<>();

  void time(String kind, Step step) throws Exception {
    long begin = System.nanoTime();
    step.run();
    sums.merge(kind, new Sum(1, System.nanoTime() - begin), Sum::plus);
  }

  /** How many steps of the kind were taken. */
  public int steps(String kind) {
    return sums.containsKey(kind) ? sums.get(kind).steps() : 0;
  }

  @Override
  public String toString() {
    return sums.entrySet().stream()
        .map(sum -> sum.getKey() + ": " + sum.getValue())
        .collect(Collectors.joining(", "));
  }
}
