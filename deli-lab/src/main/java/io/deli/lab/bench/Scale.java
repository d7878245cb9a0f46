package io.deli.lab.bench;

/**
 * How much to measure.
 *
 * @param keys rows in each table
 * @param warmups rounds ahead of these, of which nothing is reported
 * @param rounds how often each arm is measured; medians are reported
 * @param seconds length of one measurement
 */
public record Scale(int keys, int warmups, int rounds, int seconds) {
  /** Each value of the lookup benchmark belongs to this many rows. */
  static final int ROWS_PER_VALUE = 2;

  static final int REGIONS = 4;

  int values() {
    return Math.max(1, keys / ROWS_PER_VALUE);
  }
}
