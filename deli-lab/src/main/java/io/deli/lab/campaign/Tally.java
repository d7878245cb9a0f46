package io.deli.lab.campaign;

import io.deli.lab.judge.RowOperation;
import java.util.Map;
import java.util.TreeMap;

/** Counts the outcomes that clients were told. Not thread-safe. */
final class Tally {
  private long writes;
  private long reads;
  private long queries;
  private long failed;
  private final Map<String, Long> failures = new TreeMap<>();
  private long lastWrite;
  private long longestGap;

  void told(RowOperation operation) {
    if (!operation.span().hasEnd() || operation.optional()) {
      return;
    }
    if (operation.isRead()) {
      reads++;
    } else {
      writes++;
      wrote(operation.span().ended());
    }
  }

  private void wrote(long time) {
    if (lastWrite != 0) {
      longestGap = Math.max(longestGap, time - lastWrite);
    }
    lastWrite = Math.max(lastWrite, time);
  }

  void answered() {
    queries++;
  }

  /**
   * @param writesOfCall 0 of a read
   */
  void failed(int writesOfCall, String why) {
    failed += writesOfCall;
    failures.merge(why, 1L, Long::sum);
  }

  /** Clients were told to pause: that they write nothing is no fault. */
  void paused() {
    lastWrite = 0;
  }

  /** A copy for the report. */
  CellReport.Outcomes outcomes() {
    return new CellReport.Outcomes(
        writes, reads, queries, failed, new TreeMap<>(failures), longestGap / 1_000_000);
  }
}
