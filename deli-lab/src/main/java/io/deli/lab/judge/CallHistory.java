package io.deli.lab.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The calls of many clients on rows, and their queries by value, for both checkers. Thread-safe.
 */
public final class CallHistory extends CallLog {
  private final Queue<RowOperation> operations = new ConcurrentLinkedQueue<>();
  private final Queue<RowQuery> queries = new ConcurrentLinkedQueue<>();

  public void add(RowOperation operation) {
    operations.add(operation);
  }

  public void add(RowQuery query) {
    queries.add(query);
  }

  /** The queries that were added, in that order. */
  public List<RowQuery> queries() {
    return List.copyOf(queries);
  }

  @Override
  protected void entered(HistoryRecord.Begin begin, HistoryRecord record) {
    if (record instanceof HistoryRecord.Told told) {
      operations.addAll(told.operations());
    } else if (record instanceof HistoryRecord.Answered answered) {
      queries.add(answered.query());
    } else if (record instanceof HistoryRecord.Failed failed) {
      operations.addAll(begin.failed(failed.times()));
    }
  }

  /** The ruling of both checkers on a family that keeps so many versions of a column. */
  public Ruling ruling(int versions) {
    return ruling(versions, List::of, span -> span);
  }

  /**
   * The same with what may explain it.
   *
   * @param explaining the operations that may have happened where a client was told of one
   * @param moments whose state may explain the answer of a query
   */
  public Ruling ruling(
      int versions,
      Function<RowOperation, List<RowOperation>> explaining,
      UnaryOperator<Span> moments) {
    List<RowOperation> known = new ArrayList<>();
    operations.forEach(operation -> known.addAll(explaining.apply(operation)));
    List<RowQuery> asked = new ArrayList<>();
    queries.forEach(query -> asked.add(query.during(moments.apply(query.span()))));
    return HistoryJudge.judge(
        known,
        asked,
        new LinearizabilityChecker(versions, LinearizabilityChecker.uncovering(known)),
        new QueryChecker(QueryChecker.columns(asked)));
  }
}
