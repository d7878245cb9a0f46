package io.deli.lab.experiment.catalog;

import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Lab.Recorder;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * What the servers read from the disk since a moment, where the cache does not hold all and the
 * system tells.
 *
 * @param before what they had read then
 */
record DiskReads(Lab lab, OptionalLong before) {
  static final String MEASURE = "read from the disk";

  static DiskReads from(Cache cache, Lab lab) throws IOException {
    return new DiskReads(
        lab, cache == Cache.HOLDS_ALL ? OptionalLong.empty() : lab.bytesFromDisk());
  }

  void record(Recorder recorder, String x) throws IOException {
    if (before.isPresent()) {
      long now = lab.bytesFromDisk().orElse(before.getAsLong());
      recorder.add(MEASURE, x, "MB", (now - before.getAsLong()) / 1e6);
    }
  }
}
