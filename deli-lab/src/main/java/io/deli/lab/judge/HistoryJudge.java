package io.deli.lab.judge;

import java.util.Collection;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Judges a history while it goes on, by both checkers, and forgets what cannot matter any more. Not
 * thread-safe.
 *
 * <p>Memory is bounded by what is in flight, and not by what was:
 *
 * <ul>
 *   <li>of a row, the {@link LinearizabilityChecker} keeps the states that it may be in;
 *   <li>the {@link QueryChecker} keeps what each column may have had since the oldest query in
 *       flight began;
 *   <li>a write that failed stays possible until it is {@linkplain #settled settled}.
 * </ul>
 */
public final class HistoryJudge {
  /** Hears of a history in the order of time. */
  interface Checker {
    default void called(RowOperation operation) {}

    /** Of an operation with an end only. */
    default void returned(RowOperation operation) {}

    default void called(RowQuery query) {}

    default void returned(RowQuery query) {}

    /** Tells of a calm: calls that failed and had begun before it take no effect after it. */
    void settled(Span calm);

    Ruling ruling();
  }

  /**
   * Of what happens at one instant calls come first: what returns may have overlapped with them.
   */
  private record Event(long time, boolean call, long number, Consumer<Checker> course)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int order = Long.compare(time, other.time);
      order = order == 0 ? Boolean.compare(other.call, call) : order;
      return order == 0 ? Long.compare(number, other.number) : order;
    }
  }

  private final List<Checker> checkers;

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long numbers;

  private HistoryJudge(Checker... checkers) {
    this.checkers = List.of(checkers);
  }

  /**
   * @param versions that the family keeps of a column
   * @param uncovering the rows of which single versions are deleted, which bring older ones back
   * @param columns that queries ask about
   */
  public HistoryJudge(int versions, Predicate<String> uncovering, Set<String> columns) {
    this(new LinearizabilityChecker(versions, uncovering), new QueryChecker(columns));
  }

  /** The ruling on a whole history. */
  static Ruling judge(
      Collection<RowOperation> operations, Collection<RowQuery> queries, Checker... checkers) {
    HistoryJudge judge = new HistoryJudge(checkers);
    operations.forEach(judge::add);
    queries.forEach(judge::add);
    judge.advance(Span.NEVER);
    return judge.ruling();
  }

  /** Adds an operation of which it is known what came of it, also of a failed one. */
  public void add(RowOperation operation) {
    add(operation.span().begun(), true, checker -> checker.called(operation));
    if (operation.span().hasEnd()) {
      add(operation.span().ended(), false, checker -> checker.returned(operation));
    }
  }

  /** Adds a query that was answered. */
  public void add(RowQuery query) {
    add(query.span().begun(), true, checker -> checker.called(query));
    add(query.span().ended(), false, checker -> checker.returned(query));
  }

  private void add(long time, boolean call, Consumer<Checker> course) {
    events.add(new Event(time, call, numbers++, course));
  }

  /**
   * Says that each write that failed, and had begun before a calm, has taken effect by its end or
   * never will. Without this it stays possible for ever.
   *
   * <p>So it is on HBase if throughout the calm nothing befalls the cluster, all regions are
   * served, no call from before it is in flight, and it is longer than any request can be under way
   * in a cluster that is well. For then the client that sent the request has given it up or is
   * dead, and sends it no more. What lies in a server's queue is dropped there when the time-out
   * that came with it has passed. What is being handled waits for locks, the log and index tables
   * for bounded times. And what a dead server had in its log was replayed before its regions were
   * served again.
   */
  public void settled(Span calm) {
    add(calm.ended(), false, checker -> checker.settled(calm));
  }

  /** Judges what happened before an instant; nothing that began earlier will be added. */
  public void advance(long horizon) {
    while (!events.isEmpty() && events.peek().time() < horizon) {
      checkers.forEach(events.remove().course());
    }
  }

  public Ruling ruling() {
    return checkers.stream().map(Checker::ruling).reduce(Ruling.CLEAN, Ruling::and);
  }

  /** The number of calls and returns that wait to be judged. */
  public int held() {
    return events.size();
  }
}
