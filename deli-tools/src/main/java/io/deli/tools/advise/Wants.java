package io.deli.tools.advise;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What only its users know of the work on a table, or know better than the servers' counters.
 *
 * @param limit how many of the most recent hits a typical query wants; empty if all
 * @param lookups share of the reads that ask for a value instead of a row
 * @param writes share of the operations that write, instead of what was counted
 * @param updates share of the writes that replace or delete a value, instead of what was seen
 * @param range whether ranges of values are asked for
 * @param space whether there is no room for an index table
 * @param versions whether values that were replaced are asked for
 */
public record Wants(
    OptionalLong limit,
    OptionalDouble lookups,
    OptionalDouble writes,
    OptionalDouble updates,
    boolean range,
    boolean space,
    boolean versions) {
  /** Of a user who tells nothing. */
  public static final Wants UNTOLD =
      new Wants(
          OptionalLong.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          false,
          false,
          false);
}
