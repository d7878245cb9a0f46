package io.deli.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.simulation.Simulation.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of every {@link LogStructuredStore}: DELI's own client, admission, retention,
 * collection and repair work on it as they do on HBase. The test of a store is a subclass that
 * makes one.
 */
@Tag("simulation")
abstract class StoreContract {
  private static final long SEED = 20261126;
  private static final int STEPS = 400;
  private static final int HISTORIES = 100;

  private final List<LogStructuredStore> opened = new ArrayList<>();

  /** Makes an empty one. */
  abstract LogStructuredStore newStore();

  final LogStructuredStore open() {
    opened.add(newStore());
    return opened.get(opened.size() - 1);
  }

  @AfterEach
  void close() {
    opened.forEach(LogStructuredStore::close);
    opened.clear();
  }

  private StoredTable table() {
    return new StoredTable(this::open, "deferred");
  }

  @Test
  void storedCells_anyOperations_areThereInOrderUntilDropped() {
    StorePair pair = new StorePair(open(), new Random(SEED));
    for (int step = 1; step <= STEPS; step++) {
      pair.act();
      assertThat(pair.scan()).as("step %d", step).isEqualTo(pair.scanModel());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "composite", "in-place"})
  void rows_areFoundByTheirNewestValues(String strategy) throws IOException {
    StoredTable table = new StoredTable(this::open, strategy);
    table.put("k1", "m1");
    table.put("k2", "m2");
    table.put("k3", "m3");
    table.put("k1", "m2");
    table.delete("k3");
    for (int round = 0; round < 3; round++) {
      assertThat(table.find("m1", "m1")).isEmpty();
      assertThat(table.find("m2", "m2")).containsExactly("k1=m2", "k2=m2");
      assertThat(table.find("m0", "m9")).containsExactly("k1=m2", "k2=m2");
      table.restart();
      table.rewrite();
    }
    assertThat(table.violations()).isEmpty();
  }

  @Test
  void aVersionThatDies_takesItsEntryAlong_andNoOther() throws IOException {
    StoredTable table = table();
    table.put("k1", "m1");
    table.put("k2", "m1");
    table.put("k1", "m2");
    table.put("k1", "m1");
    assertThat(table.countEntries()).isEqualTo(4);
    table.rewrite();
    assertThat(table.countEntries()).isEqualTo(2);
    assertThat(table.versions("k1")).hasSize(1);
    assertThat(table.find("m0", "m9")).containsExactly("k1=m1", "k2=m1");
    assertThat(table.violations()).isEmpty();
  }

  @Test
  void aVersionThatCannotLoseItsEntry_stays() throws IOException {
    StoredTable table = table();
    table.put("k", "m1");
    table.put("k", "m2");
    table.crashIndex(10_000);
    table.rewrite();
    assertThat(table.versions("k")).hasSize(2);
    table.run(10_000);
    table.rewrite();
    assertThat(table.versions("k")).hasSize(1);
    assertThat(table.countEntries()).isEqualTo(1);
  }

  @Test
  void aVersionThatADeleteResurrects_isFoundAgain() throws IOException {
    StoredTable table = table();
    table.put("k", "m1");
    table.put("k", "m2");
    table.deleteNewest("k");
    assertThat(table.find("m0", "m9")).containsExactly("k=m1");
    table.rewrite();
    assertThat(table.find("m0", "m9")).containsExactly("k=m1");
    assertThat(table.countEntries()).isEqualTo(1);
    assertThat(table.violations()).isEmpty();
  }

  @Test
  void anEntryWhoseWriterCrashed_isNoHit_andIsRepairedAfterTheGrace() {
    StoredTable table = table();
    table.put("k", "m1");
    table.beginPut("k", "m2");
    assertThat(table.find("m2", "m2")).isEmpty();
    table.run(100);
    assertThat(table.countEntries()).isEqualTo(2);
    table.run(2 * Deployment.GRACE_MILLIS);
    assertThat(table.find("m2", "m2")).isEmpty();
    table.run(100);
    assertThat(table.countEntries()).isEqualTo(1);
    assertThat(table.find("m0", "m9")).containsExactly("k=m1");
    assertThat(table.violations()).isEmpty();
  }

  @Test
  void histories_amidTroubles_areRight() {
    for (long seed = SEED; seed < SEED + HISTORIES; seed++) {
      assertThat(run(seed, Optional.empty()).violations()).as("seed %d", seed).isEmpty();
    }
  }

  /** That they are right says something only if others are not. */
  @ParameterizedTest
  @EnumSource(names = {"ENTRY_LOST", "NO_COLLECTION", "NO_GRACE", "DROPS_UNACKNOWLEDGED"})
  void someHistory_withADefect_isWrong(Defect defect) {
    long seed = defect.seed();
    while (run(seed, Optional.of(defect)).violations().isEmpty()) {
      seed++;
      assertThat(seed).as("%s: seed", defect).isLessThan(defect.seed() + HISTORIES);
    }
  }

  private Outcome run(long seed, Optional<Defect> planted) {
    Outcome outcome = Simulation.run(seed, this::open, planted, Simulation.CALLS, false);
    close();
    return outcome;
  }
}
