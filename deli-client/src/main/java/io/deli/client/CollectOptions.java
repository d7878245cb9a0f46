package io.deli.client;

import java.time.Duration;
import java.util.Optional;

/**
 * Options of a garbage collection.
 *
 * @param perServer regions that are compacted on a server at a time, at most
 * @param olderThan leaves out regions of which all files were compacted more lately; empty leaves
 *     out none. What was interrupted goes on so, and what is large is spread over several nights
 * @param sweep whether every entry is looked into afterwards, for those that no compaction knows:
 *     of writes that failed, and of versions that were superseded where compactions collect nothing
 * @param sweepRate entries that are looked into in a second, at most; 0 for no limit
 */
public record CollectOptions(
    int perServer, Optional<Duration> olderThan, boolean sweep, int sweepRate) {
  /** All regions, two at a time on each server as in HBase's default, and an unlimited sweep. */
  public static final CollectOptions DEFAULT = new CollectOptions(2, Optional.empty(), true, 0);

  public CollectOptions {
    if (perServer < 1) {
      throw new IllegalArgumentException("at least one region must be compacted at a time");
    }
    if (sweepRate < 0) {
      throw new IllegalArgumentException("the sweep rate must not be negative; 0 is no limit");
    }
  }

  public CollectOptions withPerServer(int regions) {
    return new CollectOptions(regions, olderThan, sweep, sweepRate);
  }

  public CollectOptions withOlderThan(Duration age) {
    return new CollectOptions(perServer, Optional.of(age), sweep, sweepRate);
  }

  public CollectOptions withSweep(boolean wanted) {
    return new CollectOptions(perServer, olderThan, wanted, sweepRate);
  }

  public CollectOptions withSweepRate(int entriesPerSecond) {
    return new CollectOptions(perServer, olderThan, sweep, entriesPerSecond);
  }
}
