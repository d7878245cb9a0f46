package io.deli.lab.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * A check as a spec states it: a median, or what one is of another, and its least or greatest
 * value.
 */
record Expectation(String claim, Ratio ratio, double bound, boolean atLeast) {
  private static final String AT_LEAST = "at least";
  private static final String AT_MOST = "at most";

  static Expectation of(SpecNode node) {
    String claim = node.text("claim");
    if (node.has(AT_LEAST) == node.has(AT_MOST)) {
      throw node.wrong("must have one of '%s' and '%s'".formatted(AT_LEAST, AT_MOST));
    }
    boolean atLeast = node.has(AT_LEAST);
    double bound = node.number(atLeast ? AT_LEAST : AT_MOST, 0);
    return new Expectation(claim, Ratio.of(node), bound, atLeast);
  }

  /**
   * Whether what a paper found holds here; what was found is not a number if it was not measured.
   */
  record Check(String claim, double found, double bound, boolean atLeast) {
    boolean measured() {
      return !Double.isNaN(found);
    }

    /** False, too, for what was not measured. */
    boolean holds() {
      return atLeast ? found >= bound : found <= bound;
    }

    String verdict() {
      return measured() ? holds() ? "yes" : "no" : "not measured";
    }

    String wanted() {
      return (atLeast ? "at least " : "at most ") + String.format(Locale.ROOT, "%.2f", bound);
    }
  }

  Check check(Results results) {
    return new Check(claim, ratio.in(results), bound, atLeast);
  }

  /**
   * The ratio of an arm's median to another's; not a number if one of them is missing.
   *
   * <p>An arm may be {@code least of A, B}, {@code greatest of A, B}, or one of all that were
   * measured, {@code least} or {@code greatest}. An x may be {@code first} or {@code last}, {@code
   * best}, which is where each arm's median is greatest, {@code ever}, which is the greatest of all
   * rounds at all of them, and {@code where least} or {@code where greatest}, which is where the
   * ratio is.
   *
   * @param minus an arm whose median is subtracted first; empty if none
   * @param to the other arm; empty if the median itself is meant
   * @param per another ratio that this one is divided by
   */
  record Ratio(Point point, String minus, Optional<Point> to, Optional<Ratio> per, double factor) {
    private static final String WHERE = "where ";
    private static final String LEAST = "least";
    private static final String GREATEST = "greatest";
    private static final String OF = " of ";

    private record Point(String measure, String x, String arm) {}

    static Ratio of(SpecNode node) {
      Point point = new Point(node.text("measure"), node.text("x", ""), node.text("arm"));
      Optional<Point> to =
          node.has("to") || node.has("to x") || node.has("to measure")
              ? Optional.of(
                  new Point(
                      node.text("to measure", point.measure),
                      node.text("to x", point.x),
                      node.text("to", point.arm)))
              : Optional.empty();
      Optional<Ratio> per = node.has("per") ? Optional.of(of(node.node("per"))) : Optional.empty();
      Ratio ratio = new Ratio(point, node.text("minus", ""), to, per, node.number("times", 1));
      node.end();
      return ratio;
    }

    double in(Results results) {
      return point.x.startsWith(WHERE)
          ? pick(
              point.x.substring(WHERE.length()),
              results.xs(point.measure).stream().mapToDouble(x -> at(results, Optional.of(x))))
          : at(results, Optional.empty());
    }

    /** At an x, or each figure at its own. */
    private double at(Results results, Optional<String> x) {
      return factor
          * value(results, point, x)
          / to.map(other -> value(results, other, x)).orElse(1.0)
          / per.map(other -> other.at(results, x)).orElse(1.0);
    }

    private double value(Results results, Point of, Optional<String> x) {
      ToDoubleFunction<String> median = at -> median(results, of, at);
      List<String> xs = results.xs(of.measure);
      String which = x.orElse(of.x);
      if (which.equals("best")) {
        return xs.stream().mapToDouble(median).max().orElse(Double.NaN);
      }
      if (which.equals("ever")) {
        return results.greatest(of.measure, of.arm);
      }
      boolean relative = which.equals("first") || which.equals("last");
      if (relative && xs.isEmpty()) {
        return Double.NaN;
      }
      return median.applyAsDouble(
          relative ? xs.get(which.equals("first") ? 0 : xs.size() - 1) : which);
    }

    private double median(Results results, Point of, String x) {
      double subtracted = minus.isEmpty() ? 0 : results.median(of.measure, x, minus);
      return arms(results, of, x) - subtracted;
    }

    private static double arms(Results results, Point of, String x) {
      if (of.arm.equals(LEAST) || of.arm.equals(GREATEST)) {
        double[] there =
            results.arms(of.measure).stream()
                .mapToDouble(arm -> results.median(of.measure, x, arm))
                .filter(median -> !Double.isNaN(median))
                .toArray();
        return there.length < 2 ? Double.NaN : pick(of.arm, Arrays.stream(there));
      }
      for (String which : List.of(LEAST, GREATEST)) {
        if (of.arm.startsWith(which + OF)) {
          String[] arms = of.arm.substring((which + OF).length()).split(", ", -1);
          return pick(
              which, Arrays.stream(arms).mapToDouble(arm -> results.median(of.measure, x, arm)));
        }
      }
      return results.median(of.measure, x, of.arm);
    }

    private static double pick(String which, DoubleStream values) {
      return (which.equals(LEAST) ? values.min() : values.max()).orElse(Double.NaN);
    }
  }
}
