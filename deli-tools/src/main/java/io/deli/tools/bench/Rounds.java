package io.deli.tools.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures arms in turn, round by round, so that a slow minute of the machine hits all alike. */
final class Rounds {
  /** One measurement of one arm. */
  @FunctionalInterface
  interface Measure {
    double run(Arm arm) throws IOException;
  }

  private Rounds() {}

  static List<Figure> interleaved(
      String experiment, String unit, List<? extends Arm> arms, Scale scale, Measure measure)
      throws IOException {
    Map<String, List<Double>> results = new LinkedHashMap<>();
    for (Arm arm : arms) {
      results.put(arm.name(), new ArrayList<>());
    }
    // The first rounds warm up compilers and caches.
    for (int round = -scale.warmups(); round < scale.rounds(); round++) {
      for (Arm arm : arms) {
        double result = measure.run(arm);
        if (round >= 0) {
          results.get(arm.name()).add(result);
        }
      }
    }
    return results.entrySet().stream()
        .map(e -> new Figure(experiment, e.getKey(), unit, e.getValue()))
        .toList();
  }
}
