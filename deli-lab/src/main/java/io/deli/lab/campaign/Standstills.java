package io.deli.lab.campaign;

import io.deli.lab.judge.Span;
import io.deli.lab.torture.Zombie;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Servers that stood still and may have answered by what was before: known only when a fault is
 * over, so until then reads wait to be judged. Thread-safe.
 */
final class Standstills {
  private final AtomicReference<State> state = new AtomicReference<>(State.NONE);

  /**
   * What is known at a moment. Immutable.
   *
   * @param faults when each began that goes on
   */
  record State(List<Long> faults, List<Zombie> zombies) {
    private static final State NONE = new State(List.of(), List.of());

    boolean isOpen() {
      return !faults.isEmpty();
    }

    /** The moments whose state may explain an answer. */
    Span explaining(Span read) {
      Span span = read;
      for (Zombie zombie : zombies) {
        span = zombie.explaining(span);
      }
      return span;
    }

    /** Nothing may be judged from here on. */
    long limit() {
      long limit = Span.NEVER;
      for (long begun : faults) {
        limit = Math.min(limit, begun);
      }
      for (Zombie zombie : zombies) {
        limit = Math.min(limit, zombie.since());
      }
      return limit;
    }
  }

  State now() {
    return state.get();
  }

  /** A fault begins that may bring a server to a stand; returns when. */
  long begin() {
    long begun = System.nanoTime();
    state.updateAndGet(
        now -> {
          List<Long> faults = new ArrayList<>(now.faults());
          faults.add(begun);
          return new State(List.copyOf(faults), now.zombies());
        });
    return begun;
  }

  /** It is over. */
  void end(long begun, Optional<Zombie> zombie) {
    state.updateAndGet(
        now -> {
          List<Long> faults = new ArrayList<>(now.faults());
          faults.remove(begun);
          List<Zombie> zombies = new ArrayList<>(now.zombies());
          zombie.ifPresent(zombies::add);
          return new State(List.copyOf(faults), List.copyOf(zombies));
        });
  }

  /** All that began before a moment is known. */
  void forget(long before) {
    state.updateAndGet(
        now ->
            new State(
                now.faults(),
                now.zombies().stream().filter(zombie -> zombie.until() >= before).toList()));
  }
}
