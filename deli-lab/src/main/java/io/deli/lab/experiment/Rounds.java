package io.deli.lab.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Measures arms in turn, round by round, so that a slow minute of the machine hits all alike. Their
 * order differs by round, so that what an arm leaves behind does not always hit the same other.
 */
public final class Rounds {
  @FunctionalInterface
  public interface Measure<A> {
    /** Measures; in negative rounds compilers and caches warm up, and nothing counts. */
    void run(A arm, int round) throws IOException;
  }

  private Rounds() {}

  /**
   * Runs the rounds, the warm-up rounds first; round 0 in the order in which the arms are given.
   */
  public static <A> void interleaved(
      int warmups, int rounds, List<? extends A> arms, Measure<A> measure) throws IOException {
    for (int round = -warmups; round < rounds; round++) {
      for (A arm : ordered(arms, round)) {
        measure.run(arm, round);
      }
    }
  }

  /**
   * The order of a round: a row of a balanced Latin square (E. J. Williams, 1949). In twice as many
   * rounds as there are arms each is twice at each place, and follows each other equally often.
   */
  static <A> List<A> ordered(List<? extends A> arms, int round) {
    int count = arms.size();
    List<A> order = new ArrayList<>(count);
    for (int place = 0; place < count; place++) {
      order.add(arms.get(placeOf(Math.floorMod(symbolAt(place, count) + round, count), count)));
    }
    if (count % 2 == 1 && round % 2 != 0) {
      Collections.reverse(order);
    }
    return order;
  }

  /** The square's first row: 0, 1, count - 1, 2, count - 2 and so on. */
  private static int symbolAt(int place, int count) {
    return place % 2 == 1 ? (place + 1) / 2 : (count - place / 2) % count;
  }

  private static int placeOf(int symbol, int count) {
    return symbol <= count / 2 ? Math.max(0, 2 * symbol - 1) : 2 * (count - symbol);
  }
}
