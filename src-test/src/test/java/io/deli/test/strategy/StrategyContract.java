package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.config.Setting;
import io.deli.index.InvalidIndexException;
import io.deli.index.Maintenance;
import io.deli.lab.torture.TortureWorkload;
import io.deli.lab.torture.TortureWorkload.Contention;
import io.deli.strategy.Cost;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Strategies;
import io.deli.strategy.Workload;
import io.deli.test.model.ModelRun;
import io.deli.test.model.Stopwatch;
import io.deli.test.tools.Cli;
import io.deli.test.torture.Reports;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * What every strategy must do. The test of a strategy is a subclass that names it, and has tests of
 * its own for what it costs.
 */
public abstract class StrategyContract {
  private static final int OPERATIONS = 500;
  private static final int PARTIAL_OPERATIONS = 100;
  private static final int JOINED_WRITES = 300;
  private static final Duration TORTURE = Duration.ofSeconds(3);
  private static final Duration INTERVAL = Duration.ofMillis(400);
  private static final long LEAST_CALLS = 50;

  private final long seed = Long.getLong("deli.seed", 20240401);

  /** As definitions name it. */
  protected abstract String strategy();

  private IndexStrategy loaded() {
    return Strategies.named(strategy());
  }

  /** Users are told of it in its own words, and nobody else knows any. */
  @Test
  void describesItself() {
    IndexStrategy strategy = loaded();
    assertThat(strategy.purpose()).isNotBlank();
    assertThat(new Cli().run("create-index", "--help").out())
        .containsIgnoringWhitespaces("%s (%s)".formatted(strategy(), strategy.purpose()));
    String settings = new Cli().run("settings").out();
    for (Setting<?> setting : strategy.settings()) {
      assertThat(setting.key()).startsWith("deli.");
      assertThat(settings).contains(setting.key() + " ", setting.meaning());
    }
    Workload work =
        new Workload(1e6, 1e5, 10, 0.25, 20, 8, false, 1, 15_625, 65_536, 1_024, 3, 4, 2);
    assertThat(strategy.cost(work).stream()).extracting(Cost::strategy).isSubsetOf(strategy());
  }

  /** With flushes, compactions, splits, moves and a restart in between, and every kind of query. */
  @Test
  void answersAsTheModelDoes() throws Exception {
    try (ModelRun run = ModelRun.by(strategy(), seed, OPERATIONS)) {
      Stopwatch done = run.run();
      System.out.printf("strategy %s, seed %d: %s%n", strategy(), seed, done);
      assertThat(done.steps("queries")).isGreaterThan(OPERATIONS / 10);
    }
  }

  /** For strategies with a table, whose entries a condition can save. */
  @Test
  void aPartialIndexAnswersAsAScanDoes() throws Exception {
    if (loaded().keepsTable()) {
      try (PartialIndexRun run = new PartialIndexRun(strategy(), seed)) {
        run.run(PARTIAL_OPERATIONS);
      }
    }
  }

  /** Or says at once that it does not join columns. */
  @Test
  void severalColumnsAreFoundAsTheyWereWritten() throws Exception {
    if (loaded().joinsColumns()) {
      try (JoinedColumnsRun run = new JoinedColumnsRun(strategy(), Maintenance.CLIENT, seed)) {
        run.run(JOINED_WRITES);
      }
    } else {
      assertThatThrownBy(() -> new JoinedColumnsRun(strategy(), Maintenance.CLIENT, seed))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContaining("strategy '%s' does not support several columns", strategy());
    }
  }

  @Test
  void everyAnswerAmongManyClientsIsExplained() throws Exception {
    TortureWorkload workload =
        TortureWorkload.brief(
            Duration.ofSeconds(3), strategy(), Maintenance.CLIENT, Contention.SOME);
    Reports.assertCleanOnMiniCluster(workload, TORTURE, INTERVAL, seed, LEAST_CALLS);
  }
}
