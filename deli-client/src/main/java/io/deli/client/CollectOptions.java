package io.deli.client;

import java.time.Duration;
import java.util.Optional;

/**
 * How to collect a table's garbage.
 *
 * @param perServer regions that are compacted on a server at a time, at most
 * @param olderThan leaves out regions of which all files were compacted more lately; empty leaves
 *     out none. What was interrupted goes on so, and what is large is spread over several nights
 */
public record CollectOptions(int perServer, Optional<Duration> olderThan) {
  /** As many at a time as HBase's own settings compact, all regions. */
  public static final CollectOptions DEFAULT = new CollectOptions(2, Optional.empty());

  public CollectOptions {
    if (perServer < 1) {
      throw new IllegalArgumentException("at least one region must be compacted at a time");
    }
  }

  public CollectOptions withPerServer(int regions) {
    return new CollectOptions(regions, olderThan);
  }

  public CollectOptions withOlderThan(Duration age) {
    return new CollectOptions(perServer, Optional.of(age));
  }
}
