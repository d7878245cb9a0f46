package io.deli.client.internal.build;

import io.deli.strategy.Folding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hbase.thirdparty.com.google.common.collect.Lists;

/**
 * Entries that are written together, in the order of their rows, so that a request goes to few
 * regions of the index, and inserts neighbours there one after the other. Not thread-safe.
 */
final class EntryRun {
  /** Of a request: region servers warn of more, or refuse it (hbase.rpc.rows.warning.threshold). */
  private static final int REQUEST = 5_000;

  /** Where each entry has its region read a list, under the locks of all rows of the request. */
  private static final int FOLDED = 500;

  private static final int ENTRIES = 20_000;
  private static final long BYTES = 16L << 20;

  /** So that a build that is told to go slowly writes down how far it is, nevertheless. */
  private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

  private final int request;
  private final List<Put> puts = new ArrayList<>();
  private long bytes;
  private long begun = System.nanoTime();

  EntryRun(Folding folding) {
    request = folding == Folding.AT_WRITE ? FOLDED : REQUEST;
  }

  void add(List<Put> entries) {
    puts.addAll(entries);
    for (Put entry : entries) {
      bytes += entry.heapSize();
    }
  }

  /** Whether it is time to write it. */
  boolean isFull() {
    return puts.size() >= ENTRIES || bytes >= BYTES || System.nanoTime() - begun >= NANOS;
  }

  /** Writes it, one request after the other, and begins another. */
  void write(Table table, Effort effort) throws IOException {
    effort.check();
    puts.sort(Row.COMPARATOR);
    for (List<Put> entries : Lists.partition(puts, request)) {
      table.put(entries);
      effort.entries(entries.size());
      effort.check();
    }
    puts.clear();
    bytes = 0;
    begun = System.nanoTime();
  }
}
