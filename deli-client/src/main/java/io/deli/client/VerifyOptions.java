package io.deli.client;

import io.deli.client.internal.KeyRange;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Options of a verification: the range to compare, the rate, and whether to repair. Immutable;
 * callers must not change the arrays. A range without any key, and a position outside of the range,
 * are refused.
 *
 * @param from first base row key that counts; empty for the table's first
 * @param to base row key behind the last that counts; empty for the table's end
 * @param position where to go on; empty to begin
 * @param time how long it may take, about; empty for as long as it takes
 * @param rate versions and entries to read in a second at most; 0 for as many as can be
 * @param samples findings to report of each kind at most; all are counted
 * @param repair whether to write missing entries, and to report others to their region
 * @param sums whether to compare sums of ranges of rows first, over what is older than {@code
 *     deli.repair.grace.ms}, and look closer only where they differ; not with a position or a time
 * @param threads that compare; each has a window of 50,000 entries, or 16 MB of them, in memory
 */
public record VerifyOptions(
    byte[] from,
    byte[] to,
    Optional<VerifyPosition> position,
    Optional<Duration> time,
    int rate,
    int samples,
    boolean repair,
    boolean sums,
    int threads) {
  /** The whole table, at full speed, by four threads; changes nothing. */
  public static final VerifyOptions DEFAULT =
      new VerifyOptions(
          new byte[0], new byte[0], Optional.empty(), Optional.empty(), 0, 10, false, false, 4);

  public VerifyOptions {
    if (rate < 0 || samples < 0) {
      throw new IllegalArgumentException("rate and samples must not be negative");
    }
    if (threads < 1) {
      throw new IllegalArgumentException(threads + " threads: give at least 1");
    }
    if (sums && (position.isPresent() || time.isPresent())) {
      throw new IllegalArgumentException(
          "sums cover the whole range: give no position and no time");
    }
    if (to.length > 0 && Bytes.compareTo(from, to) >= 0) {
      throw new IllegalArgumentException(
          "no row key is in the range from '%s' to before '%s': keys are ordered byte by byte"
              .formatted(Bytes.toStringBinary(from), Bytes.toStringBinary(to)));
    }
    if (position.isPresent() && !isWithin(from, to, position.get())) {
      throw new IllegalArgumentException(
          "position '%s' is outside of the range from '%s' to before '%s'"
              .formatted(position.get(), Bytes.toStringBinary(from), Bytes.toStringBinary(to)));
    }
  }

  /** Rows of the index are of any key. */
  private static boolean isWithin(byte[] from, byte[] to, VerifyPosition position) {
    byte[] row = position.row();
    return position.pass() == VerifyPosition.Pass.INDEX
        || row.length == 0
        || new KeyRange(from, to).contains(row);
  }

  /** Only base rows from one key, inclusive, up to another, exclusive; empty is unbounded. */
  public VerifyOptions withRange(byte[] first, byte[] end) {
    return new VerifyOptions(first, end, position, time, rate, samples, repair, sums, threads);
  }

  public VerifyOptions withPosition(VerifyPosition begin) {
    return new VerifyOptions(
        from, to, Optional.of(begin), time, rate, samples, repair, sums, threads);
  }

  public VerifyOptions withTime(Duration limit) {
    return new VerifyOptions(
        from, to, position, Optional.of(limit), rate, samples, repair, sums, threads);
  }

  public VerifyOptions withRate(int perSecond) {
    return new VerifyOptions(from, to, position, time, perSecond, samples, repair, sums, threads);
  }

  public VerifyOptions withSamples(int most) {
    return new VerifyOptions(from, to, position, time, rate, most, repair, sums, threads);
  }

  public VerifyOptions withRepair() {
    return new VerifyOptions(from, to, position, time, rate, samples, true, sums, threads);
  }

  public VerifyOptions withSums() {
    return new VerifyOptions(from, to, position, time, rate, samples, repair, true, threads);
  }

  public VerifyOptions withThreads(int number) {
    return new VerifyOptions(from, to, position, time, rate, samples, repair, sums, number);
  }
}
