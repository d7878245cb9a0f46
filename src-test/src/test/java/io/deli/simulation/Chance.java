package io.deli.simulation;

import java.util.SplittableRandom;

/** What decides wherever something may happen in one way or another. Not thread-safe. */
interface Chance {
  /** A number from zero up to a bound, exclusive. */
  long below(long bound);

  /** True once in so many times. */
  default boolean oneIn(int times) {
    return below(times) == 0;
  }

  /** By a seed. */
  static Chance of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return random::nextLong;
  }
}
