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
 * One direction of comparing: takes what is scanned on one side, a page at a time, and looks for
 * what belongs to it on the other.
 *
 * <p>The two sides are not read at one moment, so what does not fit is suspect only. Suspects are
 * judged after a while, in which the writes that were under way have ended, by looking at both
 * sides again. Not thread-safe.
 */
abstract class Pass {
  /** An operation takes milliseconds, unless something is wrong. */
  private static final long WHILE = TimeUnit.SECONDS.toNanos(2);

  /** After which they are judged: nothing behind a suspect is settled. */
  private static final long LONG = TimeUnit.MINUTES.toNanos(1);

  /** Some are judged together, so that one waits for many. */
  private static final int MANY = 4_000;

  private static final long MANY_BYTES = 16L << 20;

  private List<Entry> suspects = new ArrayList<>();
  private long bytes;
  private long firstAt;
  private long lastAt;

  /** What is scanned. */
  abstract Table table();

  /** From a row, inclusive; empty for the first that counts. */
  abstract Scan scan(byte[] start);

  /** Takes a row, or a piece of one. */
  abstract void take(Result row);

  /** How much was taken since the last check. */
  abstract int taken();

  /** Compares what was taken. */
  abstract void compare() throws IOException;

  /** Looks again at suspects, and decides. */
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

  /** Judges what is left. */
  final void settle() throws IOException {
    if (!suspects.isEmpty()) {
      Futures.sleep(Duration.ofNanos(lastAt + WHILE - System.nanoTime()));
      judge(suspects);
      suspects = new ArrayList<>();
      bytes = 0;
    }
  }
}
