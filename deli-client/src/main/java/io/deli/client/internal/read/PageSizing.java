package io.deli.client.internal.read;

import java.util.OptionalInt;

/**
 * Decides how many entries to read at a time: no more than a small limit needs, but more if entries
 * prove stale. Not thread-safe.
 */
final class PageSizing {
  private final int largest;
  private final boolean ahead;
  private long missing;
  private long read;
  private long found;

  private PageSizing(int largest, boolean ahead, OptionalInt limit) {
    this.largest = largest;
    this.ahead = ahead;
    this.missing = limit.isPresent() ? limit.getAsInt() : Long.MAX_VALUE;
  }

  /** The sizing of a run that goes on to its end: reads ahead. */
  static PageSizing streaming(int largest, OptionalInt limit) {
    return new PageSizing(largest, true, limit);
  }

  /** The sizing of a run that usually ends with its first page. */
  static PageSizing onePage(int largest, OptionalInt limit) {
    return new PageSizing(largest, false, limit);
  }

  /** Copies the present state, to return to it later. */
  PageSizing copy() {
    PageSizing copy = new PageSizing(largest, ahead, OptionalInt.empty());
    copy.missing = missing;
    copy.read = read;
    copy.found = found;
    return copy;
  }

  /** The most rows to read at a time. */
  int largest() {
    return largest;
  }

  /** Hits still to come; {@code Long.MAX_VALUE} without a limit. */
  long missing() {
    return missing;
  }

  /**
   * Returns how many rows to read next.
   *
   * @param unverified rows that are read already but not yet verified
   * @return 0 to wait until those are verified, since they will probably do
   */
  int next(int unverified) {
    if (unverified > 0 && !ahead) {
      return 0;
    }
    return missing == Long.MAX_VALUE ? largest : rows(missing, unverified);
  }

  /** Returns how many rows to read for a number of hits, beside those that are not yet verified. */
  int rows(long wanted, int unverified) {
    // Counts what is not yet verified as it has been found so far; at first, as good.
    double live = read == 0 ? 1.0 : Math.max((double) found, 0.5) / (double) read;
    double rows = (double) wanted / live - unverified;
    return (int) Math.min(largest, Math.ceil(rows < 0 ? 0 : rows));
  }

  /** Takes note of a verified page. */
  void verified(int rows, int hits) {
    read += rows;
    found += hits;
    if (missing != Long.MAX_VALUE) {
      missing = Math.max(0, missing - hits);
    }
  }
}
