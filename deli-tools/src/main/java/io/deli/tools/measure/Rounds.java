package io.deli.tools.measure;

import java.io.IOException;
import java.util.List;

/** Measures arms in turn, round by round, so that a slow minute of the machine hits all alike. */
public final class Rounds {
  /** One measurement of one arm. */
  @FunctionalInterface
  public interface Measure<A> {
    /**
     * Measures.
     *
     * @param round from 0 on; negative while compilers and caches warm up, and nothing counts
     */
    void run(A arm, int round) throws IOException;
  }

  private Rounds() {}

  /** Runs the rounds, the warm-up rounds first. */
  public static <A> void interleaved(
      int warmups, int rounds, List<? extends A> arms, Measure<A> measure) throws IOException {
    for (int round = -warmups; round < rounds; round++) {
      for (A arm : arms) {
        measure.run(arm, round);
      }
    }
  }
}
