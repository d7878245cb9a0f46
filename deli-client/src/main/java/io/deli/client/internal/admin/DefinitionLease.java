package io.deli.client.internal.admin;

import io.deli.client.ProgressListener;
import io.deli.client.internal.Futures;
import io.deli.config.DeliSettings;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.client.Connection;

/**
 * For how long clients go by definitions that they have read, whatever has become of these since.
 */
public record DefinitionLease(long millis) {
  /** That which a connection is configured for, as all clients should be. */
  public static DefinitionLease of(Connection connection) {
    return new DefinitionLease(DeliSettings.DEFINITIONS_LEASE.get(connection.getConfiguration()));
  }

  /** Waits until it is over, by this machine's clock, which may be a tenth faster than others. */
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
