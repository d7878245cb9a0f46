package io.deli.lab.experiment;

import io.deli.lab.experiment.Results.Measurement;
import java.util.List;

/** One measured figure: a value for each round, in the order of the rounds. */
record Figure(String unit, List<Double> rounds) {
  Figure {
    rounds = List.copyOf(rounds);
  }

  static Figure of(List<Measurement> rounds) {
    return new Figure(rounds.get(0).unit(), rounds.stream().map(Measurement::value).toList());
  }

  double median() {
    List<Double> sorted = rounds.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  double least() {
    return rounds.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
  }

  double greatest() {
    return rounds.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
  }
}
