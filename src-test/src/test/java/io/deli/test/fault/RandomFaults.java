package io.deli.test.fault;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Strikes some requests, each whole or in one of its operations; drawn from a seed. */
public final class RandomFaults implements Faults {
  private final Random random;
  private final double rate;
  private final List<Fault> kinds;

  /**
   * Faults of some kinds.
   *
   * @param rate the part of requests that are struck
   */
  public RandomFaults(long seed, double rate, Collection<Fault> kinds) {
    this.random = new Random(seed);
    this.rate = rate;
    this.kinds = List.copyOf(kinds);
  }

  @Override
  public synchronized List<Fault> strike(Way way, int operations) {
    if (operations == 0 || random.nextDouble() >= rate) {
      return Collections.nCopies(operations, Fault.NONE);
    }
    Fault fault = kinds.get(random.nextInt(kinds.size()));
    if (random.nextBoolean()) {
      return Collections.nCopies(operations, fault);
    }
    List<Fault> one = new ArrayList<>(Collections.nCopies(operations, Fault.NONE));
    one.set(random.nextInt(operations), fault);
    return one;
  }
}
