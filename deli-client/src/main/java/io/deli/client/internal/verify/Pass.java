package io.deli.client.internal.verify;

import io.deli.client.internal.Futures;
import io.deli.client.internal.TaskQueue;
import io.deli.entry.Entry;
import io.deli.strategy.Index;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * One direction of a comparison: scans one table, and looks for the counterparts in the other, for
 * a window of entries at a time. One thread scans, while others compare the windows before.
 *
 * <p>The two tables are not read at one moment, so a mismatch is only a suspect. Suspects are
 * checked again after a wait in which the writes in flight have ended.
 */
abstract class Pass {
  /** Most entries of a window: the more, the more of them are in one block of the other table. */
  static final int WINDOW = 50_000;

  static final long WINDOW_BYTES = 16L << 20;

  /** Wait before suspects are checked again; an operation normally takes milliseconds. */
  private static final Duration WHILE = Duration.ofSeconds(2);

  /**
   * Both tables of a verification, and what its passes share.
   *
   * @param ages at which entries are settled and versions expire
   */
  record Sides(
      Index index,
      BaseTableReader base,
      IndexTableReader entries,
      Findings findings,
      boolean repairs,
      IndexPass.Ages ages) {}

  final TableName name;
  final Index index;
  final BaseTableReader base;
  final IndexTableReader entries;
  final Findings findings;
  final boolean repairs;

  private List<Entry> window = new ArrayList<>();
  private int read;
  private long bytes;

  /**
   * @param name of the table that is scanned
   */
  Pass(Sides sides, TableName name) {
    this.name = name;
    index = sides.index();
    base = sides.base();
    entries = sides.entries();
    findings = sides.findings();
    repairs = sides.repairs();
  }

  abstract Table open() throws IOException;

  /** From a row, inclusive; empty for the first that counts. */
  abstract Scan scan(byte[] start);

  /** Takes a row, or a piece of one. */
  abstract void take(Result row);

  /** Looks for the counterparts of entries; returns those to be checked again. */
  abstract List<Entry> suspects(List<Entry> some) throws IOException;

  /** Checks suspects again and reports those that are confirmed. */
  abstract void judge(List<Entry> suspects) throws IOException;

  /** Adds to the window. */
  final void add(Entry entry) {
    window.add(entry);
    bytes += entry.token().length + entry.key().length;
  }

  final void countRead(int cells) {
    read += cells;
  }

  /** Returns how much is read since the window began. */
  final int taken() {
    return Math.max(read, window.size());
  }

  final boolean isFull(int most) {
    return taken() >= most || bytes >= WINDOW_BYTES;
  }

  /** Begins another window; returns the comparison of this one, to be run by any thread. */
  final TaskQueue.Task next() {
    List<Entry> full = window;
    window = new ArrayList<>();
    read = 0;
    bytes = 0;
    return () -> compare(full);
  }

  private void compare(List<Entry> full) throws IOException {
    List<Entry> suspects = suspects(full);
    if (!suspects.isEmpty()) {
      Futures.sleep(WHILE);
      judge(suspects);
    }
  }
}
