package io.deli.test.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.test.gc.RetentionHistory.Trait;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random histories on a region with DELI and on its twins without: the same cells live after every
 * step. {@code -Ddeli.seed=N} replays a seed, {@code random} draws one.
 *
 * <p>Where HBase's own answer depends on when it flushed, the twin is an HBase with an old reader,
 * whose flushes must keep everything, too: so one of the answers that HBase could have given is
 * known exactly. Columns without index are compared with HBase alone, and in calm histories, where
 * HBase has but one answer, so are indexed ones.
 */
class RetentionDifferentialTest {
  private static final int ROUNDS = Integer.getInteger("deli.rounds", 28);
  private static final int STEPS = 8;
  private static final TableName BASE = TableName.valueOf("retention_twins");

  @BeforeAll
  static void createIndexTable() throws IOException {
    IndexedTwins.createIndexTable(BASE);
  }

  @Test
  void keepsWhatHBaseKeeps() throws Exception {
    String wanted = System.getProperty("deli.seed", "20261120");
    long seed = wanted.equals("random") ? System.nanoTime() : Long.parseLong(wanted);
    System.out.println("RetentionDifferentialTest: -Ddeli.seed=" + seed);
    Random seeds = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(seeds.nextLong());
      run(
          "seed %d, round %d".formatted(seed, round),
          new RetentionHistory(random, traits(round), System.currentTimeMillis()),
          round);
    }
  }

  /** If a compaction keeps one version where there should be more, it is seen. */
  @Test
  void noticesVersionsThatAreLost() {
    List<String> greedy = List.of("coprocessor$1", "|" + GreedyObserver.class.getName() + "||");
    Random random = new Random(1);
    assertThatThrownBy(
            () -> {
              for (int round = ROUNDS; round < 2 * ROUNDS; round++) {
                RetentionHistory calm =
                    new RetentionHistory(random, Set.of(Trait.CALM), System.currentTimeMillis());
                try (IndexedTwins twins = new IndexedTwins(BASE, calm, round, greedy)) {
                  compareSteps("lost", calm, twins);
                }
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("lost round");
  }

  private static Set<Trait> traits(int round) {
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    if (round % 4 == 0) {
      traits.add(Trait.CALM);
    }
    if (round % 7 == 2) {
      traits.add(Trait.BEFORE);
    } else if (round % 7 > 4) {
      // With a delete of an exact version, a dead version that is still there lives again.
      traits.addAll(Set.of(Trait.STAGED, Trait.CALM));
    }
    if (round % 5 == 1) {
      traits.add(Trait.NEW_VERSIONS);
    } else if (round % 3 == 1) {
      traits.add(Trait.CUT);
    } else if (round % 2 == 0) {
      traits.add(Trait.NAMELESS_COLUMN);
    }
    return traits;
  }

  private static void run(String what, RetentionHistory history, int round) throws Exception {
    try (IndexedTwins twins = new IndexedTwins(BASE, history, round, List.of())) {
      compareSteps(what, history, twins);
      twins.collect();
      assertThat(twins.entries()).as(what + " " + twins).isEqualTo(twins.present());
    }
  }

  private static void compareSteps(String what, RetentionHistory history, IndexedTwins twins)
      throws Exception {
    TwinRegion held = twins.open(TwinRegion.Kind.HELD);
    TwinRegion plain = twins.open(TwinRegion.Kind.PLAIN);
    for (int step = 0; step < STEPS; step++) {
      twins.write(step);
      String where = "%s %s step %d %s".formatted(what, twins, step, twins.act());
      compare(where, history.has(Trait.CALM), twins.deli(), held, plain);
    }
  }

  private static void compare(
      String where, boolean calm, TwinRegion deli, TwinRegion held, TwinRegion plain)
      throws IOException {
    List<String> all = deli.live(null);
    assertThat(deli.live(true)).as(where).isEqualTo(held.live(true));
    assertThat(deli.live(false)).as(where).isEqualTo(plain.live(false));
    if (calm) {
      assertThat(all).as(where).isEqualTo(plain.live(null));
    }
  }
}
