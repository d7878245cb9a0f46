package io.deli.client.internal.admin;

import io.deli.client.ProgressListener;
import io.deli.client.internal.Futures;
import io.deli.config.DeliSettings;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The time for which clients may use definitions after reading them, even if these have changed
 * since.
 */
public record DefinitionLease(long millis) {
  /** Returns the configured lease; all clients should have the same. */
  public static DefinitionLease of(Connection connection) {
    return new DefinitionLease(DeliSettings.DEFINITIONS_LEASE.get(connection.getConfiguration()));
  }

  /** Waits one lease, and a tenth more for a fast local clock. */
  public void await(String stage, ProgressListener progress) throws IOException {
    long total = millis + millis / 10 + 1;
    long begun = System.nanoTime();
    long waited = 0;
    while (waited <= total) {
      progress.progress(stage, waited, total);
      Futures.sleep(Duration.ofMillis(Math.min(100, total - waited + 1)));
      waited = Duration.ofNanos(System.nanoTime() - begun).toMillis();
    }
    progress.progress(stage, total, total);
  }
}
