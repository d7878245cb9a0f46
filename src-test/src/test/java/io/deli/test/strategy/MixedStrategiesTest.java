package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.model.ModelRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Indexes by several strategies on one table, some of them on one column. */
class MixedStrategiesTest {
  private static final int OPERATIONS = 1_000;

  private final long seed = Long.getLong("deli.seed", 20240402);

  @Test
  void answersAsTheModelDoes() throws Exception {
    try (ModelRun run =
        ModelRun.mixing(
            List.of("in-place", "embedded", "next", "composite", "deferred"), seed, OPERATIONS)) {
      assertThat(run.run().steps("queries")).isGreaterThan(OPERATIONS / 10);
    }
  }
}
