package io.deli.lab.experiment;

import io.deli.lab.measure.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Measurements by what was measured, in the order in which they were first made. */
public final class Results {
  private record Key(String measure, String x, String arm) {}

  private final Map<Key, Figure> figures;

  /**
   * One measured value.
   *
   * @param stage of the experiment in which it was measured
   * @param round from 0 on
   * @param arm who did it
   * @param measure what was measured, such as {@code PUT throughput}
   * @param x under which circumstances, such as a number of threads; empty if there is but one
   * @param unit of the value
   */
  public record Measurement(
      String stage, int round, String arm, String measure, String x, String unit, double value) {}

  public Results(List<Measurement> measurements) {
    Map<Key, List<Measurement>> groups =
        measurements.stream()
            .collect(
                Collectors.groupingBy(
                    m -> new Key(m.measure(), m.x(), m.arm()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    figures = new LinkedHashMap<>();
    groups.forEach(
        (key, rounds) ->
            figures.put(
                key,
                new Figure(
                    key.measure,
                    key.arm,
                    rounds.get(0).unit(),
                    rounds.stream().map(Measurement::value).toList())));
  }

  public List<String> measures() {
    return figures.keySet().stream().map(Key::measure).distinct().toList();
  }

  /** All that measured anything. */
  public List<String> arms() {
    return figures.keySet().stream().map(Key::arm).distinct().toList();
  }

  public List<String> arms(String measure) {
    return of(measure).map(Key::arm).distinct().toList();
  }

  /** Under which circumstances it was measured. */
  public List<String> xs(String measure) {
    return of(measure).map(Key::x).distinct().toList();
  }

  private Stream<Key> of(String measure) {
    return figures.keySet().stream().filter(key -> key.measure.equals(measure));
  }

  public Optional<Figure> figure(String measure, String x, String arm) {
    return Optional.ofNullable(figures.get(new Key(measure, x, arm)));
  }

  /** The median of the rounds; not a number if there is none. */
  public double median(String measure, String x, String arm) {
    return figure(measure, x, arm).map(Figure::median).orElse(Double.NaN);
  }

  /** All figures, for programs. */
  List<Map<String, Object>> lines() {
    List<Map<String, Object>> lines = new ArrayList<>();
    figures.forEach(
        (key, figure) -> {
          Map<String, Object> line = new LinkedHashMap<>();
          line.put("measure", key.measure);
          line.put("x", key.x);
          line.put("arm", key.arm);
          line.put("unit", figure.unit());
          line.put("median", figure.median());
          line.put("least", figure.least());
          line.put("greatest", figure.greatest());
          double ratio = ratio(key.measure, key.x, key.arm, arms(key.measure).get(0));
          if (Double.isFinite(ratio)) {
            line.put("ratio", ratio);
          }
          line.put("rounds", figure.rounds());
          lines.add(line);
        });
    return lines;
  }

  /** The ratio of one arm's median to the other's; not a number if one of them is missing. */
  public double ratio(String measure, String x, String arm, String other) {
    return median(measure, x, arm) / median(measure, x, other);
  }
}
