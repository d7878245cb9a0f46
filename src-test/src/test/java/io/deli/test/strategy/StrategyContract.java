package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.client.ProgressListener;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Strategies;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.model.ModelRun;
import io.deli.test.model.Stopwatch;
import io.deli.tools.torture.TableTroubles;
import io.deli.tools.torture.Torture;
import io.deli.tools.torture.TortureReport;
import io.deli.tools.torture.Workload;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Test;

/**
 * What every strategy must do. The test of a strategy is a subclass that names it, and has tests of
 * its own for what it costs.
 */
abstract class StrategyContract {
  private static final int OPERATIONS = 1_000;
  private static final Duration TORTURE = Duration.ofSeconds(5);
  private static final long LEAST_CALLS = 200;

  private final long seed = Long.getLong("deli.seed", 20240401);

  /** As definitions name it. */
  protected abstract String strategy();

  private IndexStrategy loaded() {
    return Strategies.named(strategy());
  }

  @Test
  void whatIsWrittenIsFoundUntilItIsRetracted() {
    new StrategyLaws(loaded(), seed).check();
  }

  /** With flushes, compactions, splits and moves in between, and every kind of query. */
  @Test
  void answersAsTheModelDoes() throws Exception {
    try (ModelRun run = ModelRun.by(strategy(), seed, OPERATIONS)) {
      Stopwatch done = run.run();
      System.out.printf("strategy %s, seed %d: %s%n", strategy(), seed, done);
      assertThat(done.steps("queries")).isGreaterThan(OPERATIONS / 10);
    }
  }

  @Test
  void everyAnswerAmongManyClientsIsExplained() throws Exception {
    Connection plain = MiniCluster.connection();
    TableName name = MiniCluster.uniqueTable("contract");
    Workload workload = Workload.SHORT.withGrace(Duration.ofSeconds(3)).by(strategy());
    Configuration configuration = MiniCluster.configuration();
    configuration.setLong("deli.repair.grace.ms", workload.graceMillis());
    TortureReport report =
        new Torture(
                plain,
                name,
                workload,
                oracle ->
                    DeliConnection.wrap(ConnectionFactory.createConnection(configuration), oracle),
                seed)
            .run(
                new TableTroubles(plain, name, workload).all(),
                TORTURE,
                Duration.ofSeconds(1),
                ProgressListener.NONE);
    report.lines().forEach(System.out::println);
    assertThat(report.violations()).isEmpty();
    assertThat(report.audit().missing()).isEmpty();
    assertThat(report.audit().garbage()).isEmpty();
    assertThat(report.writes()).isGreaterThan(LEAST_CALLS);
    assertThat(report.reads()).isGreaterThan(LEAST_CALLS);
  }
}
