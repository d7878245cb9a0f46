package io.deli.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The model of HBase against HBase: the same operations on a region of each, the same answers, and
 * the same cells to every kind of read, whenever they flush and compact. {@code -Ddeli.seed=N}
 * replays a seed, {@code random} draws one.
 */
class ModelDifferentialTest {
  private static final int ROUNDS = 60;
  private static final int STEPS = 60;

  @TempDir Path directory;

  @Test
  void theModel_anyOperations_answersAsHBase() throws Exception {
    String wanted = System.getProperty("deli.seed", "20261124");
    long seed = wanted.equals("random") ? System.nanoTime() : Long.parseLong(wanted);
    System.out.println("ModelDifferentialTest: -Ddeli.seed=" + seed);
    Random seeds = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      String what = "seed %d, round %d".formatted(seed, round);
      run(what, seeds.nextLong(), directory, new MemoryStore(), true);
    }
  }

  /** That the two agree says something only if they would not agree otherwise. */
  @Test
  void aModel_thatIsNotAskedToDeleteFamilyVersions_isNoticed() {
    assertThatThrownBy(
            () -> {
              for (int round = 0; round < ROUNDS; round++) {
                run("lossy", round, directory, new MemoryStore(), false);
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("lossy");
  }

  /** One round, whose model has its cells in a store. */
  static void run(
      String what, long seed, Path directory, LogStructuredStore store, boolean faithful)
      throws Exception {
    Random random = new Random(seed);
    int versions = new int[] {1, 2, Integer.MAX_VALUE}[random.nextInt(3)];
    try (RegionPair pair = new RegionPair(directory, store, versions, random, faithful)) {
      for (int step = 0; step < STEPS; step++) {
        RegionPair.Answers act = pair.act();
        assertThat(act.model())
            .as("%s, %d versions, step %d: %s", what, versions, step, act.what())
            .isEqualTo(act.real());
        for (int i = 0; i < 4; i++) {
          RegionPair.Answers read = pair.read();
          assertThat(read.model())
              .as(
                  "%s, %d versions, step %d: %s, then %s",
                  what, versions, step, act.what(), read.what())
              .isEqualTo(read.real());
        }
      }
    }
  }
}
