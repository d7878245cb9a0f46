package io.deli.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.simulation.Simulation.Outcome;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Histories of DELI's own client, admission, collection and repair on a model of HBase: for {@code
 * -Ddeli.simulation.seconds}, on seeds that nobody has seen; {@code -Ddeli.simulation.seed} replays
 * one and prints what happened.
 */
class SimulationTest {
  @Test
  void noHistoryIsWrong() {
    Long replayed = Long.getLong("deli.simulation.seed");
    if (replayed != null) {
      Outcome outcome = Simulation.run(replayed, true);
      outcome.trace().forEach(System.out::println);
      assertThat(outcome.violations()).isEmpty();
      return;
    }
    long first = ThreadLocalRandom.current().nextLong();
    long end =
        System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.getLong("deli.simulation.seconds", 60));
    long histories = 0;
    long calls = 0;
    for (; System.nanoTime() - end < 0; histories++) {
      long seed = first + histories;
      Outcome outcome = Simulation.run(seed, false);
      calls += outcome.calls();
      assertThat(outcome.violations())
          .as("to replay: -Dtest=SimulationTest -Ddeli.simulation.seed=%d", seed)
          .isEmpty();
    }
    System.out.printf(
        "simulation: %d histories of %d calls, seeds from %d, none wrong%n",
        histories, calls, first);
    assertThat(histories).isPositive();
  }

  @Test
  void aSeed_twice_givesTheSameTrace() {
    Outcome once = Simulation.run(42, true);
    assertThat(once.trace()).hasSizeGreaterThan(Simulation.CALLS);
    assertThat(Simulation.run(42, true)).isEqualTo(once);
  }
}
