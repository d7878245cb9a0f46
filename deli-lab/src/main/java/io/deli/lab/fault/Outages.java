package io.deli.lab.fault;

import io.deli.lab.fault.Fault.StaleReadWindow;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The outages of servers that faults bring about, and what HBase, with or without DELI, may have
 * done then that no order of the calls explains. They are known only when a fault is over, so until
 * then what they may explain waits to be judged. Thread-safe.
 */
public final class Outages {
  private final List<Long> faults = new ArrayList<>();
  private final List<StaleReadWindow> staleReads = new ArrayList<>();
  private final List<Span> ended = new ArrayList<>();

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

  public synchronized State now() {
    return new State(List.copyOf(faults), List.copyOf(staleReads), List.copyOf(ended));
  }

  /** A fault begins that may be one of servers; returns when. */
  synchronized long begin() {
    long begun = System.nanoTime();
    faults.add(begun);
    return begun;
  }

  /** It is over, with the window that the fault told of. */
  synchronized void end(long begun, Fault fault, Optional<StaleReadWindow> window) {
    faults.remove(begun);
    window.ifPresent(staleReads::add);
    if (fault.endsServers()) {
      ended.add(new Span(begun, System.nanoTime()));
    }
  }

  /** All that began before a moment is known. */
  public synchronized void forget(long before) {
    staleReads.removeIf(window -> window.until() < before);
    ended.removeIf(span -> span.ended() < before);
  }
}
