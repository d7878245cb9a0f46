package io.deli.simulation;

import io.deli.simulation.Simulation.Outcome;
import java.time.Duration;
import java.util.Optional;

/**
 * Looks for the smallest history that is wrong, for people to read: the fewest calls of the seed
 * that was found, then other seeds with fewer calls than that.
 *
 * @param seed of the smallest
 * @param calls that it is limited to
 * @param outcome with the trace
 */
record Shrinking(long seed, int calls, Outcome outcome) {
  /** Shrinks for so long at most. */
  static Shrinking of(long seed, Optional<Defect> planted, Duration most) {
    long end = System.nanoTime() + most.toNanos();
    long smallest = seed;
    int calls = fewest(seed, Simulation.CALLS, planted);
    for (long other = seed + 1; calls > 1 && System.nanoTime() < end; other++) {
      if (isWrong(other, calls - 1, planted)) {
        smallest = other;
        calls = fewest(other, calls - 1, planted);
      }
    }
    return new Shrinking(smallest, calls, Simulation.run(smallest, planted, calls, true));
  }

  private static int fewest(long seed, int enough, Optional<Defect> planted) {
    int calls = 1;
    while (calls < enough && !isWrong(seed, calls, planted)) {
      calls++;
    }
    return calls;
  }

  private static boolean isWrong(long seed, int calls, Optional<Defect> planted) {
    return !Simulation.run(seed, planted, calls, false).violations().isEmpty();
  }

  @Override
  public String toString() {
    return """
    to replay: -Dtest=SimulationTest -Ddeli.simulation.seed=%d -Ddeli.simulation.calls=%d
    %s
    %s
    """
        .formatted(
            seed,
            calls,
            String.join("\n", outcome.trace()),
            String.join("\n", outcome.violations()));
  }
}
