package io.deli.tools.load;

import java.time.Duration;

/**
 * What a load did.
 *
 * @param rows written and acknowledged
 * @param bad lines that were no rows and were skipped
 * @param time all in all
 */
public record LoadReport(long rows, long bad, Duration time) {
  public double rowsPerSecond() {
    return rows / Math.max(0.001, time.toNanos() / 1e9);
  }
}
