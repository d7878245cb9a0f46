package io.deli.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.simulation.Simulation.Outcome;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each planted defect is found within five minutes of a processor's time, and found again. */
@Tag("simulation")
class DefectTest {
  private static final Duration MOST = Duration.ofMinutes(5);

  @ParameterizedTest
  @EnumSource
  void aDefect_planted_isFoundAndReplayed(Defect defect) {
    long begun = cpuNanos();
    long seed = defect.seed();
    Outcome found = Simulation.run(seed, Optional.of(defect), Simulation.CALLS, false);
    while (found.violations().isEmpty() && cpuNanos() - begun < MOST.toNanos()) {
      seed++;
      found = Simulation.run(seed, Optional.of(defect), Simulation.CALLS, false);
    }
    assertThat(found.violations())
        .as("%s, seeds %d to %d", defect, defect.seed(), seed)
        .isNotEmpty();
    System.out.printf(
        "%s: found in history %d, seed %d: %s%n",
        defect,
        seed - defect.seed() + 1,
        seed,
        found.violations().get(0).lines().findFirst().orElseThrow());
    Outcome replayed = Simulation.run(seed, Optional.of(defect), Simulation.CALLS, true);
    assertThat(replayed.violations()).isEqualTo(found.violations());
    assertThat(Simulation.run(seed, Optional.of(defect), Simulation.CALLS, true))
        .isEqualTo(replayed);
  }

  @ParameterizedTest
  @EnumSource
  void aDefect_inAnIndexOfAnyKind_isFound(IndexKind.Extent extent) {
    IndexKind kind = new IndexKind(extent, 3);
    for (Defect defect : List.of(Defect.ENTRY_LOST, Defect.NO_COLLECTION, Defect.NO_EVIDENCE)) {
      assertThat(LongStream.range(0, 10_000))
          .as("%s, %s", kind, defect)
          .anyMatch(seed -> !Simulation.run(seed, kind, defect).violations().isEmpty());
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
