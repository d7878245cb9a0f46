package io.deli.lab.judge;

import java.util.Collections;
import java.util.List;

/**
 * A record of a client's history. Times are of the machine's monotonic clock.
 *
 * <p>As text it is a line of JSON that begins with its kind and time. A record of a sealed type is
 * an array of its type and it, an optional value that is none is null.
 */
public sealed interface HistoryRecord {
  /** The time at which it was entered, or the call ended. */
  long time();

  /**
   * A call begins; the times of these never decrease.
   *
   * @param call its number, of this client
   * @param writes what it does to rows if it takes effect
   */
  record Begin(long call, long time, List<RowOperation> writes) implements HistoryRecord {
    /** The writes if the client was told of a failure, or nothing, each so many times. */
    public List<RowOperation> failed(int times) {
      List<RowOperation> once = writes.stream().map(each -> each.failedSince(time)).toList();
      return Collections.nCopies(times, once).stream().flatMap(List::stream).toList();
    }
  }

  /** The client lives; nothing that began earlier will be entered. */
  record Beat(long time) implements HistoryRecord {}

  /** The outcomes that the client was told, of each write or read. */
  record Told(long call, long time, List<RowOperation> operations) implements HistoryRecord {}

  record Answered(long call, long time, RowQuery query) implements HistoryRecord {}

  record Failed(long call, long time, int times, String why) implements HistoryRecord {}

  /** Its text, without an end of line. */
  default String toJson() {
    return HistoryJson.GSON.toJson(this, HistoryRecord.class);
  }

  static HistoryRecord fromJson(String line) {
    return HistoryJson.GSON.fromJson(line, HistoryRecord.class);
  }
}
