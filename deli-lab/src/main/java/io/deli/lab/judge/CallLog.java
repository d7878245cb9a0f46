package io.deli.lab.judge;

import io.deli.lab.judge.HistoryRecord.Begin;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The log in which clients enter their calls: each before its request is sent and again when it has
 * returned. Thread-safe.
 */
public abstract class CallLog {
  private final AtomicLong calls = new AtomicLong();

  protected void began(Begin begin) {}

  protected abstract void ended(Begin begin, HistoryRecord end);

  /**
   * Enters that a call begins.
   *
   * @param writes what it does to rows if it takes effect, of any span; none of a read
   */
  public Call begin(List<RowOperation> writes) {
    Begin begin = new Begin(calls.incrementAndGet(), System.nanoTime(), writes);
    began(begin);
    return new Call(begin);
  }

  /** A call that has begun; one of the methods that end it is called once. */
  public final class Call {
    private final Begin begin;

    private Call(Begin begin) {
      this.begin = begin;
    }

    public Span untilNow() {
      return new Span(begin.time(), System.nanoTime());
    }

    public void returned(List<RowOperation> told) {
      ended(begin, new HistoryRecord.Told(begin.call(), System.nanoTime(), told));
    }

    public void answered(RowQuery query) {
      ended(begin, new HistoryRecord.Answered(begin.call(), query.span().ended(), query));
    }

    /**
     * The client was told of a failure: each write may take effect at any later moment, or never.
     *
     * @param times that it may take effect at most
     * @param why for the report
     */
    public void failed(int times, Throwable why) {
      String kind = why.getClass().getSimpleName();
      ended(begin, new HistoryRecord.Failed(begin.call(), System.nanoTime(), times, kind));
    }
  }
}
