package io.deli.lab.bench;

import io.deli.lab.measure.Figure;
import io.deli.lab.measure.Rounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One figure of each arm, measured in interleaved rounds. */
final class Figures {
  /** One measurement of one arm. */
  @FunctionalInterface
  interface Measure {
    double run(Arm arm) throws IOException;
  }

  private Figures() {}

  static List<Figure> measured(
      String experiment, String unit, List<? extends Arm> arms, Scale scale, Measure measure)
      throws IOException {
    Map<String, List<Double>> results = new LinkedHashMap<>();
    Rounds.<Arm>interleaved(
        scale.warmups(),
        scale.rounds(),
        arms,
        (arm, round) -> {
          double result = measure.run(arm);
          if (round >= 0) {
            results.computeIfAbsent(arm.name(), name -> new ArrayList<>()).add(result);
          }
        });
    return results.entrySet().stream()
        .map(e -> new Figure(experiment, e.getKey(), unit, e.getValue()))
        .toList();
  }
}
