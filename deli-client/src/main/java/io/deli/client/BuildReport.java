package io.deli.client;

import java.time.Duration;
import java.util.Optional;

/**
 * The result of an index build, since it was started or resumed.
 *
 * @param rows that have the indexed column and were read
 * @param entries written, those that were there already among them
 * @param refused versions whose values the index does not take, so that they have no entries
 * @param refusal an example of these: a row, and why its value is refused
 * @param resumed ranges of rows that were done when it began
 * @param ranges of rows in all
 * @param reading time it took to read the table and write the entries
 */
public record BuildReport(
    long rows,
    long entries,
    long refused,
    Optional<String> refusal,
    int resumed,
    int ranges,
    Duration reading) {
  /** The result for an index without a table of its own. */
  public static final BuildReport NOTHING =
      new BuildReport(0, 0, 0, Optional.empty(), 0, 0, Duration.ZERO);
}
