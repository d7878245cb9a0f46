package io.deli.lab.fault;

import io.deli.lab.fault.Fault.StaleReadWindow;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The outages of servers that faults bring about, and what HBase, with or without DELI, may have
 * done then that no order of the calls explains. They are known only when a fault is over, so until
 * then what they may explain waits to be judged. Thread-safe.
 */
public final class Outages {
  private final AtomicReference<State> state = new AtomicReference<>(State.NONE);

  /**
   * The knowledge of a moment. Immutable.
   *
   * @param faults when each began that goes on
   * @param staleReads of servers that stood still
   * @param ended spans in which region servers or their logs may have ended. HBase knows a repeated
   *     Increment or Append by a number that the server of the region remembers: where another
   *     serves the region when the client sends it again, it may be counted again
   */
  public record State(List<Long> faults, List<StaleReadWindow> staleReads, List<Span> ended) {
    private static final State NONE = new State(List.of(), List.of(), List.of());

    public boolean isOpen() {
      return !faults.isEmpty();
    }

    /** The moments whose state may explain the answer of a read. */
    public Span explaining(Span read) {
      Span span = read;
      for (StaleReadWindow window : staleReads) {
        span = window.explaining(span);
      }
      return span;
    }

    /** The operations that may have happened where a client was told of one. */
    public List<RowOperation> explaining(RowOperation told) {
      if (told.isRead()) {
        return List.of(told.during(explaining(told.span())));
      }
      boolean again =
          told.mayBeRecounted() && ended.stream().anyMatch(span -> span.overlaps(told.span()));
      return again ? List.of(told, told.perhaps(told.span())) : List.of(told);
    }

    /** Nothing may be judged from here on. */
    public long limit() {
      long limit = Span.NEVER;
      for (long begun : faults) {
        limit = Math.min(limit, begun);
      }
      for (StaleReadWindow window : staleReads) {
        limit = Math.min(limit, window.since());
      }
      return limit;
    }
  }

  /** Whether what happened may depend on the outages during an operation. */
  public static boolean mayExplain(RowOperation told) {
    return told.isRead() || told.mayBeRecounted();
  }

  public State now() {
    return state.get();
  }

  /** A fault begins that may be one of servers; returns when. */
  long begin() {
    long begun = System.nanoTime();
    state.updateAndGet(
        now -> {
          List<Long> faults = new ArrayList<>(now.faults());
          faults.add(begun);
          return new State(List.copyOf(faults), now.staleReads(), now.ended());
        });
    return begun;
  }

  /**
   * It is over.
   *
   * @param window that the fault told of
   */
  void end(long begun, Fault fault, Optional<StaleReadWindow> window) {
    Span span = new Span(begun, System.nanoTime());
    state.updateAndGet(
        now -> {
          List<Long> faults = new ArrayList<>(now.faults());
          faults.remove(begun);
          List<StaleReadWindow> staleReads = new ArrayList<>(now.staleReads());
          window.ifPresent(staleReads::add);
          List<Span> ended = new ArrayList<>(now.ended());
          if (fault.endsServers()) {
            ended.add(span);
          }
          return new State(List.copyOf(faults), List.copyOf(staleReads), List.copyOf(ended));
        });
  }

  /** All that began before a moment is known. */
  public void forget(long before) {
    state.updateAndGet(
        now ->
            new State(
                now.faults(),
                now.staleReads().stream().filter(window -> window.until() >= before).toList(),
                now.ended().stream().filter(span -> span.ended() >= before).toList()));
  }
}
