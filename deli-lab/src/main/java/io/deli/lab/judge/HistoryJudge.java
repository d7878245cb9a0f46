package io.deli.lab.judge;

import java.util.Collection;
import java.util.Set;
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
  private final LinearizabilityChecker rows;
  private final QueryChecker queries;
  private final HistoryOrder order;

  /**
   * @param versions that the family keeps of a column
   * @param uncovering the rows of which single versions are deleted, which bring older ones back
   * @param columns that queries ask about
   */
  public HistoryJudge(int versions, Predicate<String> uncovering, Set<String> columns) {
    rows = new LinearizabilityChecker(versions, uncovering);
    queries = new QueryChecker(columns);
    order = new HistoryOrder(new Both());
  }

  /** Both checkers on a whole history. */
  static Ruling judge(
      int versions, Collection<RowOperation> operations, Collection<RowQuery> queries) {
    HistoryJudge judge =
        new HistoryJudge(
            versions, LinearizabilityChecker.uncovering(operations), QueryChecker.columns(queries));
    operations.forEach(judge::add);
    queries.forEach(judge::add);
    judge.advance(Span.NEVER);
    return judge.ruling();
  }

  /** Adds an operation of which it is known what came of it, also of a failed one. */
  public void add(RowOperation operation) {
    order.add(operation);
  }

  /** Adds a query that was answered. */
  public void add(RowQuery query) {
    order.add(query);
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
    order.addCalm(calm);
  }

  /** Judges what happened before an instant; nothing that began earlier will be added. */
  public void advance(long horizon) {
    order.advance(horizon);
  }

  /** The ruling so far. */
  public Ruling ruling() {
    return rows.ruling().and(queries.ruling());
  }

  /** The number of calls and returns that wait to be judged. */
  public int held() {
    return order.held();
  }

  private final class Both implements HistoryOrder.Listener {
    @Override
    public void called(RowOperation operation) {
      rows.called(operation);
      queries.called(operation);
    }

    @Override
    public void returned(RowOperation operation) {
      rows.returned(operation);
      queries.returned(operation);
    }

    @Override
    public void called(RowQuery query) {
      queries.called(query);
    }

    @Override
    public void returned(RowQuery query) {
      queries.returned(query);
    }

    @Override
    public void settled(Span calm) {
      rows.settled(calm);
      queries.settled(calm);
    }
  }
}
