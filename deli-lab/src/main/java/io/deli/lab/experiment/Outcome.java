package io.deli.lab.experiment;

import io.deli.lab.measure.Timing;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * The outcome of a step.
 *
 * @param timing of all its operations
 * @param nanos of the operations of each kind, such as {@code UPDATE}
 * @param values what it found without a clock, such as a number of entries
 */
record Outcome(Timing timing, Map<String, Histogram> nanos, Map<String, Double> values) {
  static final Outcome NONE = of(0, 0);

  static Outcome of(long operations, double seconds) {
    return new Outcome(new Timing(operations, seconds, new Histogram(3)), Map.of(), Map.of());
  }

  static Outcome found(Map<String, Double> values) {
    return new Outcome(NONE.timing, Map.of(), values);
  }

  Outcome then(Outcome next) {
    Map<String, Histogram> both = new TreeMap<>();
    nanos.forEach((kind, histogram) -> both.put(kind, histogram.copy()));
    next.nanos.forEach(
        (kind, histogram) -> both.computeIfAbsent(kind, each -> new Histogram(3)).add(histogram));
    Map<String, Double> found = new TreeMap<>(values);
    found.putAll(next.values);
    return new Outcome(timing.then(next.timing), both, found);
  }
}
