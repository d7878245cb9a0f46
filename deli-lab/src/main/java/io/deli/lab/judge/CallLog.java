package io.deli.lab.judge;

import java.util.List;

/**
 * The log in which clients enter their calls: each before its request is sent and again when it has
 * returned. Thread-safe.
 */
public interface CallLog {
  /**
   * Enters that a call begins.
   *
   * @param writes what it does to rows if it takes effect, of any span; none of a read
   */
  Call begin(List<RowOperation> writes);

  /** A call that has begun; one of the methods that end it is called once. */
  interface Call {
    /** From its begin to now. */
    Span untilNow();

    /** The client was told this. */
    void returned(List<RowOperation> told);

    /** The client was given the answer of a query. */
    void answered(RowQuery query);

    /**
     * The client was told of a failure: each write may take effect at any later moment, or never.
     *
     * @param times that it may take effect at most
     * @param why for the report
     */
    void failed(int times, Throwable why);
  }
}
