package io.deli.lab.fault;

import io.deli.lab.fault.Fault.StaleReadWindow;
import io.deli.lab.judge.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Servers that stood still and may have answered by what was before: known only when a fault is
 * over, so until then reads wait to be judged. Thread-safe.
 */
public final class Standstills {
  private final AtomicReference<State> state = new AtomicReference<>(State.NONE);

  /**
   * The knowledge of a moment. Immutable.
   *
   * @param faults when each began that goes on
   */
  public record State(List<Long> faults, List<StaleReadWindow> windows) {
    private static final State NONE = new State(List.of(), List.of());

    public boolean isOpen() {
      return !faults.isEmpty();
    }

    /** The moments whose state may explain an answer. */
    public Span explaining(Span read) {
      Span span = read;
      for (StaleReadWindow window : windows) {
        span = window.explaining(span);
      }
      return span;
    }

    /** Nothing may be judged from here on. */
    public long limit() {
      long limit = Span.NEVER;
      for (long begun : faults) {
        limit = Math.min(limit, begun);
      }
      for (StaleReadWindow window : windows) {
        limit = Math.min(limit, window.since());
      }
      return limit;
    }
  }

  public State now() {
    return state.get();
  }

  /** A fault begins that may bring a server to a stand; returns when. */
  long begin() {
    long begun = System.nanoTime();
    state.updateAndGet(
        now -> {
          List<Long> faults = new ArrayList<>(now.faults());
          faults.add(begun);
          return new State(List.copyOf(faults), now.windows());
        });
    return begun;
  }

  /** It is over. */
  void end(long begun, Optional<StaleReadWindow> window) {
    state.updateAndGet(
        now -> {
          List<Long> faults = new ArrayList<>(now.faults());
          faults.remove(begun);
          List<StaleReadWindow> windows = new ArrayList<>(now.windows());
          window.ifPresent(windows::add);
          return new State(List.copyOf(faults), List.copyOf(windows));
        });
  }

  /** All that began before a moment is known. */
  public void forget(long before) {
    state.updateAndGet(
        now ->
            new State(
                now.faults(),
                now.windows().stream().filter(window -> window.until() >= before).toList()));
  }
}
