package io.deli.lab.judge;

import io.deli.lab.judge.HistoryRecord.Begin;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.util.functional.CallableRaisingIOE;

/**
 * The log in which clients enter their calls: each before its request is sent and again when it has
 * returned. Thread-safe.
 */
public abstract class CallLog {
  private final AtomicLong calls = new AtomicLong();

  /** Takes what is entered of a call: its begin itself, and then its end. */
  protected abstract void entered(Begin begin, HistoryRecord record);

  /**
   * Enters that a call begins.
   *
   * @param writes what it does to rows if it takes effect, of any span; none of a read
   */
  public Call begin(List<RowOperation> writes) {
    Begin begin = new Begin(calls.incrementAndGet(), System.nanoTime(), writes);
    entered(begin, begin);
    return new Call(begin);
  }

  /** A call that has begun; one of the methods that end it is called once. */
  public final class Call {
    private final Begin begin;

    private Call(Begin begin) {
      this.begin = begin;
    }

    /** Makes the call; if it fails, that is entered as by {@link #failed}, and thrown. */
    public <T> T run(int times, CallableRaisingIOE<T> call) throws IOException {
      try {
        return call.apply();
      } catch (IOException | RuntimeException e) {
        failed(times, e);
        throw e;
      }
    }

    public Span untilNow() {
      return new Span(begin.time(), System.nanoTime());
    }

    public void returned(List<RowOperation> told) {
      entered(begin, new HistoryRecord.Told(begin.call(), System.nanoTime(), told));
    }

    public void answered(RowQuery query) {
      entered(begin, new HistoryRecord.Answered(begin.call(), query.span().ended(), query));
    }

    /**
     * The client was told of a failure: each write may take effect at any later moment, or never.
     *
     * @param times that it may take effect at most
     * @param why for the report
     */
    public void failed(int times, Throwable why) {
      String kind = why.getClass().getSimpleName();
      entered(begin, new HistoryRecord.Failed(begin.call(), System.nanoTime(), times, kind));
    }
  }
}
