package io.deli.lab.experiment;

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

  /** One measured value; its x is empty if there is but one such. */
  public record Measurement(
      String stage, int round, String arm, String measure, String x, String unit, double value) {}

  public Results(List<Measurement> measurements) {
    figures =
        measurements.stream()
            .collect(
                Collectors.groupingBy(
                    m -> new Key(m.measure(), m.x(), m.arm()),
                    LinkedHashMap::new,
                    Collectors.collectingAndThen(Collectors.toList(), Figure::of)));
  }

  public List<String> measures() {
    return figures.keySet().stream().map(Key::measure).distinct().toList();
  }

  public List<String> arms() {
    return figures.keySet().stream().map(Key::arm).distinct().toList();
  }

  public List<String> arms(String measure) {
    return of(measure).map(Key::arm).distinct().toList();
  }

  public List<String> xs(String measure) {
    return of(measure).map(Key::x).distinct().toList();
  }

  String unit(String measure) {
    return of(measure).map(key -> figures.get(key).unit()).findFirst().orElse("");
  }

  private Stream<Key> of(String measure) {
    return figures.keySet().stream().filter(key -> key.measure.equals(measure));
  }

  public Optional<Figure> figure(String measure, String x, String arm) {
    return Optional.ofNullable(figures.get(new Key(measure, x, arm)));
  }

  public double median(String measure, String x, String arm) {
    return figure(measure, x, arm).map(Figure::median).orElse(Double.NaN);
  }

  /** The greatest value of an arm in any round, at any x; not a number if there is none. */
  double greatest(String measure, String arm) {
    return xs(measure).stream()
        .flatMap(x -> figure(measure, x, arm).stream())
        .mapToDouble(Figure::greatest)
        .max()
        .orElse(Double.NaN);
  }

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
