package io.deli.lab.experiment;

import java.io.IOException;
import java.util.Optional;

/**
 * A disk whose blocks the operating system has not in memory, so that what is beyond HBase's own
 * cache costs a read.
 *
 * @param throttle of HBase's reads, if the disk is to stand for a slower one
 */
public record ColdDisk(PageCache cache, Optional<ReadThrottle> throttle) {
  /** Says how it is kept cold, for a report. */
  String description() {
    return cache.description()
        + throttle.map(bound -> "; the disk: " + bound.description()).orElse("");
  }

  /** Has all that was written put onto the disk. */
  void settle() throws IOException {
    cache.empty();
  }

  /** Does something, while the blocks are forgotten again and again. */
  void during(Premises hbase, Lab.Step step) throws IOException {
    if (throttle.isPresent()) {
      throttle.get().during(hbase.process().orElseThrow(), () -> cache.droppedDuring(step));
    } else {
      cache.droppedDuring(step);
    }
  }
}
