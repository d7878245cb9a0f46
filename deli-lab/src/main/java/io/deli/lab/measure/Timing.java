package io.deli.lab.measure;

import org.HdrHistogram.Histogram;

/**
 * The operations of workers, and how long they took.
 *
 * @param operations of all of them
 * @param seconds from the start of the first to the end of the last
 * @param stepNanos how long each step took, which may be several operations
 */
public record Timing(long operations, double seconds, Histogram stepNanos) {
  /** All of this, and then of another. */
  public Timing then(Timing next) {
    Histogram both = stepNanos.copy();
    both.add(next.stepNanos);
    return new Timing(operations + next.operations, seconds + next.seconds, both);
  }

  /** Operations per second. */
  public double rate() {
    return operations / seconds;
  }

  /** Mean time of a step. */
  public double meanMillis() {
    return stepNanos.getMean() / 1e6;
  }

  /** The time that this percentage of the steps did not exceed. */
  public double millisAt(double percentile) {
    return stepNanos.getValueAtPercentile(percentile) / 1e6;
  }
}
