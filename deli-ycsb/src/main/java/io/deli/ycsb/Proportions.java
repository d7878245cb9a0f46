package io.deli.ycsb;

import java.util.List;
import java.util.Properties;
import site.ycsb.generator.DiscreteGenerator;
import site.ycsb.workloads.CoreWorkload;

/**
 * The proportions of the operations.
 *
 * <p>Either each has its proportion, or ratios set them, as in the generator of the embedded
 * index's paper (section 5.2): of reads to writes, of reads by key to reads by value, and of
 * updates among the writes.
 */
final class Proportions {
  static final String READ_TO_WRITE = "readtowriteratio";
  static final String PRIMARY_TO_SECONDARY = "primarytosecondaryratio";
  static final String UPDATE_RATIO = "updateratio";

  private static final List<String> SET_BY_RATIOS =
      List.of(
          CoreWorkload.READ_PROPORTION_PROPERTY,
          CoreWorkload.UPDATE_PROPORTION_PROPERTY,
          CoreWorkload.INSERT_PROPORTION_PROPERTY);

  private Proportions() {}

  /**
   * Turns ratios, if there are any, into proportions.
   *
   * @throws IllegalArgumentException if the same is said twice
   */
  static void resolve(Properties properties) {
    if (properties.getProperty(READ_TO_WRITE) == null) {
      for (String ratio : List.of(PRIMARY_TO_SECONDARY, UPDATE_RATIO)) {
        if (properties.getProperty(ratio) != null) {
          throw new IllegalArgumentException(ratio + " goes with " + READ_TO_WRITE + " only");
        }
      }
      return;
    }
    for (String proportion : SET_BY_RATIOS) {
      if (properties.getProperty(proportion) != null) {
        throw new IllegalArgumentException(
            "both %s and %s are set: leave one out".formatted(READ_TO_WRITE, proportion));
      }
    }
    double reads = share(number(properties, READ_TO_WRITE, 1));
    double byKey = reads * share(number(properties, PRIMARY_TO_SECONDARY, 1));
    double updates = (1 - reads) * number(properties, UPDATE_RATIO, 0);
    properties.setProperty(CoreWorkload.READ_PROPORTION_PROPERTY, Double.toString(byKey));
    properties.setProperty(CoreWorkload.UPDATE_PROPORTION_PROPERTY, Double.toString(updates));
    properties.setProperty(
        CoreWorkload.INSERT_PROPORTION_PROPERTY, Double.toString(1 - reads - updates));
    shareOut(properties, reads - byKey);
  }

  private static double share(double ratio) {
    return ratio / (1 + ratio);
  }

  /** Proportions of the reads by value tell their shares; else all of them ask for one value. */
  private static void shareOut(Properties properties, double all) {
    double sum = 0;
    for (ValueRead.Kind kind : ValueRead.Kind.values()) {
      sum += number(properties, kind.proportion(), 0);
    }
    for (ValueRead.Kind kind : ValueRead.Kind.values()) {
      double share =
          sum == 0
              ? (kind == ValueRead.Kind.READVALUE ? 1 : 0)
              : number(properties, kind.proportion(), 0) / sum;
      properties.setProperty(kind.proportion(), Double.toString(share * all));
    }
  }

  static void add(Properties properties, DiscreteGenerator operations) {
    for (ValueRead.Kind kind : ValueRead.Kind.values()) {
      double proportion = number(properties, kind.proportion(), 0);
      if (proportion > 0) {
        operations.addValue(proportion, kind.name());
      }
    }
  }

  static double number(Properties properties, String name, double otherwise) {
    String text = properties.getProperty(name, Double.toString(otherwise));
    double number = Double.parseDouble(text);
    if (!(number >= 0)) {
      throw new IllegalArgumentException(name + "=" + text + ": must not be negative");
    }
    return number;
  }
}
