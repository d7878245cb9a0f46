package io.deli.lab.measure;

import java.util.List;

/**
 * One measured figure: a value for each round, in the order of the rounds.
 *
 * @param experiment what was measured, such as {@code single put, 8 threads}
 * @param arm who did it
 * @param unit unit of the values
 */
public record Figure(String experiment, String arm, String unit, List<Double> rounds) {
  public Figure {
    rounds = List.copyOf(rounds);
  }

  public double median() {
    List<Double> sorted = rounds.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  public double least() {
    return rounds.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
  }

  public double greatest() {
    return rounds.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
  }
}
