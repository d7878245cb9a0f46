package io.deli.test.torture;

import io.deli.lab.torture.TortureWorkload;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Clients that meet on a few rows while regions flush, compact, split, merge and move. */
class TortureTest {
  private final long seed = Long.getLong("deli.seed", 20240229);

  @Test
  void everyAnswerIsExplained() throws Exception {
    Reports.assertCleanOnMiniCluster(
        TortureWorkload.SHORT, Duration.ofSeconds(30), Duration.ofSeconds(1), seed, 1_000);
  }
}
