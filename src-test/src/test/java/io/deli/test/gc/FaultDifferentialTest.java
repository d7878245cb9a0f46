package io.deli.test.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.test.gc.FaultyIndex.Fault;
import io.deli.test.gc.RetentionHistory.Trait;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random histories on a region with DELI, whose index does some deletes wrong, and on one without:
 * after every step the same cells live, and each living version has its entry; in the end, once all
 * goes well, the index is what the base is. {@code -Ddeli.seed=N} replays a seed, {@code random}
 * draws one.
 */
class FaultDifferentialTest {
  private static final int ROUNDS = Integer.getInteger("deli.fault.rounds", 8);
  private static final int STEPS = 8;

  /** Tells the rows of runs apart. */
  private static final AtomicInteger RUNS = new AtomicInteger();

  private static final TableName BASE = TableName.valueOf("fault_twins");

  /** One of so many rounds has faults that end with a time-out. */
  private static final int ONE_LATE_OF = 4;

  @BeforeAll
  static void createIndexTable() throws IOException {
    IndexedTwins.createIndexTable(BASE, FaultyIndex.class.getName());
  }

  @AfterEach
  void heal() {
    FaultyIndex.heal();
  }

  @ParameterizedTest
  @EnumSource
  void keepsWhatLivesAndCollectsTheRest(Mode mode) throws Exception {
    String wanted = System.getProperty("deli.seed", "20261121");
    long seed = wanted.equals("random") ? System.nanoTime() : Long.parseLong(wanted);
    System.out.println("FaultDifferentialTest: -Ddeli.seed=" + seed);
    Random seeds = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      boolean late = round % ONE_LATE_OF == ONE_LATE_OF - 1;
      run(
          "seed " + seed,
          mode,
          round,
          new Random(seeds.nextLong()),
          late ? EnumSet.of(Fault.LATE) : EnumSet.of(Fault.REFUSED, Fault.DENIED));
    }
  }

  /** If the index says done and did not, what it keeps is seen. */
  @ParameterizedTest
  @EnumSource
  void noticesDeletesThatAreLost(Mode mode) {
    assertThatThrownBy(() -> run("lost", mode, ROUNDS, new Random(1), EnumSet.of(Fault.LOST)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the index is what the base is");
  }

  private static void run(String what, Mode mode, int number, Random random, Set<Fault> faults)
      throws Exception {
    RetentionHistory history =
        new RetentionHistory(random, traits(mode, number), System.currentTimeMillis());
    String timeout = faults.contains(Fault.LATE) ? "100" : "10000";
    List<String> values = List.of("deli.gc.timeout.ms", timeout, "deli.gc.windows.inflight", "2");
    try (IndexedTwins twins = new IndexedTwins(BASE, history, RUNS.incrementAndGet(), values)) {
      TwinRegion plain = twins.open(TwinRegion.Kind.PLAIN);
      for (int step = 0; step < STEPS; step++) {
        twins.write(step);
        FaultyIndex.draw(random.nextLong(), random.nextDouble(), faults);
        String where = "%s %s %s step %d %s".formatted(what, faults, twins, step, twins.act());
        FaultyIndex.heal();
        assertThat(twins.deli().live(null)).as(where).isEqualTo(plain.live(null));
        assertThat(twins.entries()).as("%s: has entries", where).containsAll(twins.justified());
      }
      for (int i = 0; i < attempts(faults); i++) {
        twins.collect();
      }
      assertThat(twins.deli().live(null)).as(what).isEqualTo(plain.live(null));
      assertThat(twins.entries())
          .as("%s %s %s: the index is what the base is", what, faults, twins)
          .isEqualTo(twins.present())
          .containsAll(twins.justified());
    }
  }

  /** With short time-outs, a delete may still be in vain for want of time. */
  private static int attempts(Set<Fault> faults) {
    return faults.contains(Fault.LATE) ? 5 : 1;
  }

  private static Set<Trait> traits(Mode mode, int round) {
    // With a delete of an exact version, one whose entry is deleted but which is still there lives
    // again; a client writes its entry anew.
    Set<Trait> traits = EnumSet.of(Trait.CALM, Trait.FAULTY);
    if (mode != Mode.STREAMING) {
      traits.add(Trait.valueOf(mode.name()));
    }
    if (round % 3 == 1) {
      traits.add(Trait.CUT);
    }
    return traits;
  }
}
