package io.deli.tools.advise;

import io.deli.tools.Failure;
import io.deli.tools.advise.DecisionTree.Advice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The facts that a sample shows, and those that random halves of it show: the more of them lead to
 * the same advice, the surer it is.
 *
 * @param halves none if all rows were read
 */
public record SampledFacts(Facts facts, List<Facts> halves) {
  private static final int HALVES = 20;
  private static final int FEWEST_VALUES = 30;

  /** The share of the halves, below which advice is refused: it is as good as another. */
  private static final double WEAK = 0.5;

  static SampledFacts of(Sample sample, Function<Sample, Facts> facts, Random random) {
    List<Facts> halves = new ArrayList<>();
    for (int i = 0; i < HALVES && !sample.whole(); i++) {
      Sample half = sample.half(random);
      if (half.values() > 0) {
        halves.add(facts.apply(half));
      }
    }
    return new SampledFacts(facts.apply(sample), halves);
  }

  /**
   * The advice that follows.
   *
   * @throws Failure if the sample does not carry it
   */
  public Advice advice() {
    Advice advice = DecisionTree.advise(facts);
    if (halves.isEmpty()) {
      return advice;
    }
    ColumnFacts column = facts.column();
    if (column.values() < FEWEST_VALUES) {
      throw Failure.of(
          "only %d of %d sampled rows have the column, too few to advise by: raise --sample"
              .formatted(column.values(), column.rows()));
    }
    if (confidence(advice) < WEAK) {
      Map<String, Integer> others = new TreeMap<>();
      halves.forEach(half -> others.merge(DecisionTree.advise(half).strategy(), 1, Integer::sum));
      throw Failure.of(
          "the sample of %d rows carries no advice, for halves of it lead to different ones %s: raise --sample"
              .formatted(column.rows(), others));
    }
    return advice;
  }

  /** The share of the halves that lead to the same advice; 1 if all rows were read. */
  public double confidence(Advice advice) {
    long agreeing =
        halves.stream()
            .filter(half -> DecisionTree.advise(half).strategy().equals(advice.strategy()))
            .count();
    return halves.isEmpty() ? 1 : (double) agreeing / halves.size();
  }
}
