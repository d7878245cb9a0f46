package io.deli.test.strategy;

import io.deli.index.Maintenance;
import io.deli.test.torture.Reports;
import io.deli.tools.torture.Workload;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What of {@link StrategyContract} differs where region servers write the entries: who writes them,
 * while regions of base and index flush, compact, split, merge and move, and when.
 *
 * <p>Left out is what a strategy says on tables in memory, which does not depend on who carries it
 * out, and the histories against the model: it knows each version by the timestamp that the client
 * drew from the model's clock, and nothing of a refused batch to be written, which servers do not
 * promise beyond a region. The clients here are DELI's and draw timestamps, for the history's sake;
 * {@code ServedIndexTest} has writers that know nothing of indexes.
 */
class ServedStrategiesTest {
  private static final Duration TORTURE = Duration.ofSeconds(2);
  private static final Duration INTERVAL = Duration.ofMillis(300);
  private static final long LEAST_CALLS = 50;

  private final long seed = Long.getLong("deli.seed", 20240404);

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "composite"})
  void everyAnswerAmongManyClientsIsExplained(String strategy) throws Exception {
    Workload workload =
        Workload.SHORT
            .withGrace(Duration.ofSeconds(3))
            .by(strategy)
            .maintainedBy(Maintenance.SERVER);
    Reports.assertClean(Reports.onMiniCluster(workload, TORTURE, INTERVAL, seed), LEAST_CALLS);
  }
}
