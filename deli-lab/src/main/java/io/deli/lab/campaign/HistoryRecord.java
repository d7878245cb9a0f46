package io.deli.lab.campaign;

import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.RowQuery;
import java.util.List;

/** A record that a client writes into its history. Times are of the machine's monotonic clock. */
sealed interface HistoryRecord {
  /** The time at which it was written, or the call ended. */
  long time();

  /**
   * A call begins; the times of these never decrease.
   *
   * @param call its number, of this client
   * @param writes what it does to rows if it takes effect
   */
  record Begin(long call, long time, List<RowOperation> writes) implements HistoryRecord {}

  /** The client lives; nothing that began earlier will be written. */
  record Beat(long time) implements HistoryRecord {}

  /** The outcomes that the client was told, of each write or read. */
  record Told(long call, long time, List<RowOperation> operations) implements HistoryRecord {}

  /** An answer of a query. */
  record Answered(long call, long time, RowQuery query) implements HistoryRecord {}

  /** The client was told of a failure. */
  record Failed(long call, long time, int times, String why) implements HistoryRecord {}
}
