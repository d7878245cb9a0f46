package io.deli.lab.experiment;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * The outcome of a step.
 *
 * @param stepNanos how long each turn of a thread took, which may be several operations
 * @param nanos of the operations of each kind, such as {@code UPDATE}
 * @param values what it found without a clock, such as a number of entries
 */
record Outcome(
    long operations,
    double seconds,
    Histogram stepNanos,
    Map<String, Histogram> nanos,
    Map<String, Double> values) {
  static final Outcome NONE = of(0, 0);

  static Outcome of(long operations, double seconds) {
    return new Outcome(operations, seconds, new Histogram(3), Map.of(), Map.of());
  }

  static Outcome found(Map<String, Double> values) {
    return new Outcome(0, 0, new Histogram(3), Map.of(), values);
  }

  Outcome then(Outcome next) {
    Map<String, Histogram> both = new TreeMap<>();
    for (Outcome each : List.of(this, next)) {
      each.nanos.forEach((kind, one) -> both.computeIfAbsent(kind, k -> new Histogram(3)).add(one));
    }
    Histogram steps = stepNanos.copy();
    steps.add(next.stepNanos);
    Map<String, Double> found = new TreeMap<>(values);
    next.values.forEach((name, value) -> found.merge(name, value, Double::sum));
    return new Outcome(operations + next.operations, seconds + next.seconds, steps, both, found);
  }
}
