package io.deli.test.strategy;

import io.deli.index.Maintenance;
import io.deli.lab.torture.TortureWorkload;
import io.deli.lab.torture.TortureWorkload.Contention;
import io.deli.test.model.ModelRun;
import io.deli.test.torture.Reports;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What of {@link StrategyContract} differs where region servers write the entries: who writes them,
 * while regions of base and index flush, compact, split, merge and move, and when.
 *
 * <p>Left out, of the histories against the model, are batches that are refused: servers do not
 * promise that nothing of such is written beyond a region. The clients here are DELI's and draw
 * timestamps, for the history's sake; {@code ServedIndexTest} has writers that know nothing of
 * indexes.
 */
class ServedStrategiesTest {
  private static final int OPERATIONS = 500;
  private static final int JOINED_WRITES = 300;
  private static final Duration TORTURE = Duration.ofSeconds(2);
  private static final Duration INTERVAL = Duration.ofMillis(300);
  private static final long LEAST_CALLS = 50;

  private final long seed = Long.getLong("deli.seed", 20240404);

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "composite"})
  void answersAsTheModelDoes(String strategy) throws Exception {
    try (ModelRun run = ModelRun.servedBy(strategy, seed, OPERATIONS)) {
      System.out.printf("served %s, seed %d: %s%n", strategy, seed, run.run());
    }
  }

  @Test
  void severalColumnsAreFoundAsTheyWereWritten() throws Exception {
    try (JoinedColumnsRun run = new JoinedColumnsRun("deferred", Maintenance.SERVER, seed)) {
      run.run(JOINED_WRITES);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "composite"})
  void everyAnswerAmongManyClientsIsExplained(String strategy) throws Exception {
    TortureWorkload workload =
        TortureWorkload.brief(Duration.ofSeconds(3), strategy, Maintenance.SERVER, Contention.SOME);
    Reports.assertCleanOnMiniCluster(workload, TORTURE, INTERVAL, seed, LEAST_CALLS);
  }
}
