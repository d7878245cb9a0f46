package io.deli.lab.judge;

import java.util.Collection;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Puts the calls and returns of a history in the order of time, as checkers need them: known when
 * it is called is also what an operation was told. Of what happens at one instant calls come first,
 * for what returns then may have overlapped with them.
 *
 * <p>Operations may be added in any order, as they become known, but before {@link #advance} passes
 * their begin. So what is held is what is in flight, and what began after the oldest of it.
 */
final class HistoryOrder {
  /** A listener to the history, in the order of time. */
  interface Listener {
    void called(RowOperation operation);

    /** Of an operation with an end only. */
    void returned(RowOperation operation);

    void called(RowQuery query);

    void returned(RowQuery query);

    /** Tells of a calm: calls that failed and had begun before it take no effect after it. */
    void settled(Span calm);
  }

  private record Event(long time, int rank, long number, Runnable course) {}

  private static final int CALL = 0;
  private static final int RETURN = 1;

  private final Listener listener;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::time)
              .thenComparingInt(Event::rank)
              .thenComparingLong(Event::number));
  private long numbers;

  HistoryOrder(Listener listener) {
    this.listener = listener;
  }

  /** Has a listener hear of a whole history. */
  static void replay(
      Collection<RowOperation> operations, Collection<RowQuery> queries, Listener listener) {
    HistoryOrder order = new HistoryOrder(listener);
    operations.forEach(order::add);
    queries.forEach(order::add);
    order.advance(Span.NEVER);
  }

  void add(RowOperation operation) {
    add(operation.span().begun(), CALL, () -> listener.called(operation));
    if (operation.span().hasEnd()) {
      add(operation.span().ended(), RETURN, () -> listener.returned(operation));
    }
  }

  void add(RowQuery query) {
    add(query.span().begun(), CALL, () -> listener.called(query));
    add(query.span().ended(), RETURN, () -> listener.returned(query));
  }

  void addCalm(Span calm) {
    add(calm.ended(), RETURN, () -> listener.settled(calm));
  }

  private void add(long time, int rank, Runnable course) {
    events.add(new Event(time, rank, numbers++, course));
  }

  /** Tells all that happened before an instant; nothing earlier will be added. */
  void advance(long horizon) {
    while (!events.isEmpty() && events.peek().time() < horizon) {
      events.remove().course().run();
    }
  }

  /** The number of calls and returns that are held. */
  int held() {
    return events.size();
  }
}
