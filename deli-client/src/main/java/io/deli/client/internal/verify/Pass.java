package io.deli.client.internal.verify;

import io.deli.client.internal.Futures;
import io.deli.entry.Entry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * One direction of a comparison: scans one table, a page at a time, and looks for the counterparts
 * in the other.
 *
 * <p>The two tables are not read at one moment, so a mismatch is only a suspect. Suspects are
 * checked again after a wait in which the writes in flight have ended. Not thread-safe.
 */
abstract class Pass {
  /** Wait before suspects are checked again; an operation normally takes milliseconds. */
  private static final long WHILE = TimeUnit.SECONDS.toNanos(2);

  /** Longest time before suspects are checked again: no position behind a suspect is settled. */
  private static final long LONG = TimeUnit.MINUTES.toNanos(1);

  /** Number of suspects that are checked again together, after one wait. */
  private static final int MANY = 4_000;

  private static final long MANY_BYTES = 16L << 20;

  private List<Entry> suspects = new ArrayList<>();
  private long bytes;
  private long firstAt;
  private long lastAt;

  /** Returns the table that is scanned. */
  abstract Table table();

  /** From a row, inclusive; empty for the first that counts. */
  abstract Scan scan(byte[] start);

  /** Takes a row, or a piece of one. */
  abstract void take(Result row);

  /** Returns how much was added since the last comparison. */
  abstract int taken();

  /** Compares what was taken. */
  abstract void compare() throws IOException;

  /** Checks suspects again and reports those that are confirmed. */
  abstract void judge(List<Entry> all) throws IOException;

  final void check() throws IOException {
    compare();
    if (suspects.size() >= MANY || bytes >= MANY_BYTES || isLong()) {
      settle();
    }
  }

  private boolean isLong() {
    return !suspects.isEmpty() && System.nanoTime() - firstAt >= LONG;
  }

  /** Whether nothing is left to look at of what was compared. */
  boolean isSettled() {
    return suspects.isEmpty();
  }

  final void suspect(Collection<Entry> more) {
    if (!more.isEmpty()) {
      lastAt = System.nanoTime();
      if (suspects.isEmpty()) {
        firstAt = lastAt;
      }
      suspects.addAll(more);
      bytes += more.stream().mapToLong(each -> each.token().length + each.key().length).sum();
    }
  }

  /** Checks the remaining suspects. */
  final void settle() throws IOException {
    if (!suspects.isEmpty()) {
      Futures.sleep(Duration.ofNanos(lastAt + WHILE - System.nanoTime()));
      judge(suspects);
      suspects = new ArrayList<>();
      bytes = 0;
    }
  }
}
