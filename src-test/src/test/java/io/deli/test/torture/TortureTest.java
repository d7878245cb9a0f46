package io.deli.test.torture;

import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.lab.torture.TortureWorkload;
import io.deli.lab.torture.TortureWorkload.Contention;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Clients that meet on a few rows while regions flush, compact, split, merge and move. */
class TortureTest {
  private final long seed = Long.getLong("deli.seed", 20240229);

  @Test
  void everyAnswerIsExplained() throws Exception {
    TortureWorkload workload =
        TortureWorkload.brief(
            Duration.ofSeconds(10),
            IndexDefinition.DEFAULT_STRATEGY,
            Maintenance.CLIENT,
            Contention.SOME);
    Reports.assertCleanOnMiniCluster(
        workload, Duration.ofSeconds(30), Duration.ofSeconds(1), seed, 1_000);
  }
}
