package io.deli.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.simulation.Simulation.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories of DELI's own client, admission, collection and repair on a model of HBase, for {@code
 * -Ddeli.simulation.seconds}, on seeds that nobody has seen. One that is wrong is shrunk. {@code
 * -Ddeli.simulation.seed} replays a history and prints what happened, with {@code
 * -Ddeli.simulation.calls} its first calls only.
 */
@Tag("simulation")
class SimulationTest {
  private static final Duration SHRINKING = Duration.ofSeconds(20);

  @Test
  void noHistory_ofAnySeed_isWrong() {
    Long replayed = Long.getLong("deli.simulation.seed");
    if (replayed != null) {
      int calls = Integer.getInteger("deli.simulation.calls", Simulation.CALLS);
      Outcome outcome = Simulation.run(replayed, Optional.empty(), calls, true);
      outcome.trace().forEach(System.out::println);
      assertThat(outcome.violations()).isEmpty();
      return;
    }
    long first = ThreadLocalRandom.current().nextLong();
    long seconds = Long.getLong("deli.simulation.seconds", 60);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long histories = 0;
    long calls = 0;
    for (; System.nanoTime() - end < 0; histories++) {
      long seed = first + histories;
      Outcome outcome = Simulation.run(seed, Optional.empty(), Simulation.CALLS, false);
      calls += outcome.calls();
      if (!outcome.violations().isEmpty()) {
        throw new AssertionError(
            "seed %d: %s%n%s"
                .formatted(
                    seed,
                    outcome.violations().get(0),
                    Shrinking.of(seed, Optional.empty(), SHRINKING)));
      }
    }
    System.out.printf(
        "simulation: %d histories of %d calls, seeds from %d, none wrong%n",
        histories, calls, first);
    assertThat(calls).isGreaterThan(histories);
  }

  @Test
  void aSeed_twice_givesTheSameTrace() {
    Outcome once = Simulation.run(42, Optional.empty(), Simulation.CALLS, true);
    assertThat(once.trace()).hasSizeGreaterThan(Simulation.CALLS);
    assertThat(Simulation.run(42, Optional.empty(), Simulation.CALLS, true)).isEqualTo(once);
  }

  @Test
  void aWrongHistory_isShrunkToAFewCalls() {
    Optional<Defect> planted = Optional.of(Defect.ENTRY_LATE);
    // On a busy machine little is tried in the time that is enough for it elsewhere.
    Duration most = Duration.ofSeconds(1);
    Shrinking shrunk = Shrinking.of(Defect.ENTRY_LATE.seed(), planted, most);
    while (shrunk.calls() > 5 && most.compareTo(Duration.ofMinutes(3)) < 0) {
      most = most.multipliedBy(2);
      shrunk = Shrinking.of(Defect.ENTRY_LATE.seed(), planted, most);
    }
    assertThat(shrunk.calls()).isLessThanOrEqualTo(5);
    assertThat(shrunk.outcome().violations()).isNotEmpty();
    assertThat(shrunk.toString())
        .contains("calls [")
        .contains(shrunk.outcome().violations().get(0));
    assertThat(Simulation.run(shrunk.seed(), planted, shrunk.calls(), true))
        .isEqualTo(shrunk.outcome());
  }
}
