package io.deli.tools.advise;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;

/**
 * Rows of a table, in stretches of neighbouring ones.
 *
 * @param whole whether these are all rows of the table
 */
public record Sample(List<Stretch> stretches, boolean whole) {
  /** A current value, in bytes that sort as the values do, and when it was written. */
  public record Value(byte[] ordered, long timestamp) {}

  /**
   * Neighbouring rows.
   *
   * @param values the current values of the column
   * @param rows that were read
   * @param bytes of these rows
   * @param familyBytes of these rows, in the column's family
   * @param keyBytes of the keys of these rows
   * @param versions of the column in them, current or not
   */
  public record Stretch(
      List<Value> values, long rows, long bytes, long familyBytes, long keyBytes, long versions) {}

  /** A figure of all rows together. */
  long sum(ToLongFunction<Stretch> figure) {
    return stretches.stream().mapToLong(figure).sum();
  }

  long rows() {
    return sum(Stretch::rows);
  }

  long values() {
    return sum(stretch -> stretch.values().size());
  }

  /** A random half of the stretches. */
  Sample half(Random random) {
    List<Stretch> shuffled = new ArrayList<>(stretches);
    Collections.shuffle(shuffled, random);
    return new Sample(List.copyOf(shuffled.subList(0, (shuffled.size() + 1) / 2)), false);
  }
}
