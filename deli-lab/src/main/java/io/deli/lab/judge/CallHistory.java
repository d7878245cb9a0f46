package io.deli.lab.judge;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The calls of many clients on rows, and their queries by value, for both checkers. Thread-safe.
 */
public final class CallHistory implements CallLog {
  private final Queue<RowOperation> operations = new ConcurrentLinkedQueue<>();
  private final Queue<RowQuery> queries = new ConcurrentLinkedQueue<>();

  public void add(RowOperation operation) {
    operations.add(operation);
  }

  public void add(RowQuery query) {
    queries.add(query);
  }

  @Override
  public Call begin(List<RowOperation> writes) {
    return new Begun(writes, System.nanoTime());
  }

  private final class Begun implements Call {
    private final List<RowOperation> writes;
    private final long begun;

    private Begun(List<RowOperation> writes, long begun) {
      this.writes = writes;
      this.begun = begun;
    }

    @Override
    public Span untilNow() {
      return new Span(begun, System.nanoTime());
    }

    @Override
    public void returned(List<RowOperation> told) {
      operations.addAll(told);
    }

    @Override
    public void answered(RowQuery query) {
      queries.add(query);
    }

    @Override
    public void failed(int times, Throwable why) {
      for (int i = 0; i < times; i++) {
        writes.forEach(each -> add(each.failedSince(begun)));
      }
    }
  }

  public List<RowOperation> operations() {
    return List.copyOf(operations);
  }

  public List<RowQuery> queries() {
    return List.copyOf(queries);
  }

  /**
   * The same with what may explain it.
   *
   * @param explaining the operations that may have happened where a client was told of one
   * @param moments whose state may explain the answer of a query
   */
  public CallHistory explained(
      Function<RowOperation, List<RowOperation>> explaining, UnaryOperator<Span> moments) {
    CallHistory other = new CallHistory();
    operations.forEach(each -> explaining.apply(each).forEach(other::add));
    queries.forEach(each -> other.add(each.during(moments.apply(each.span()))));
    return other;
  }

  /**
   * The ruling of both checkers.
   *
   * @param versions that the family keeps of a column
   */
  public Ruling ruling(int versions) {
    return HistoryJudge.judge(versions, operations(), queries());
  }
}
