package io.deli.tools.files;

import io.deli.client.EntryWriter;
import java.io.IOException;
import java.time.Duration;

/**
 * Runs of entries that are loaded as files.
 *
 * @param bytes in memory, at which one is full
 * @param age at which it is, however little it has
 */
record FileRuns(Staging staging, RegionFiles files, Loading loading, long bytes, Duration age)
    implements EntryWriter.Runs {
  @Override
  public EntryWriter.Run begin() {
    return new FileRun(this);
  }

  @Override
  public void close() throws IOException {
    staging.close();
  }
}
