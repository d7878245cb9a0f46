package io.deli.client.internal.build;

import io.deli.client.EntryWriter;
import io.deli.entry.RowSort;
import io.deli.strategy.Index;
import io.deli.strategy.MergeTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hbase.thirdparty.com.google.common.collect.Lists;

/**
 * Buffers entries and puts them in row order, so that each request goes to few regions and inserts
 * neighbours one after the other. Not thread-safe.
 */
final class PutRun implements EntryWriter.Run {
  /**
   * Puts in one request: region servers warn of more, or refuse it
   * (hbase.rpc.rows.warning.threshold).
   */
  private static final int REQUEST = 5_000;

  /**
   * Puts in one request if each makes its region merge a list, with all rows of the request locked.
   */
  private static final int MERGED = 500;

  private static final int ENTRIES = 20_000;
  private static final long BYTES = 16L << 20;

  /** Age at which a run is written, so that a slow build still records its progress. */
  private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Connection connection;
  private final Index index;
  private final BuildCounters counters;
  private final int request;
  private final List<Put> puts = new ArrayList<>();
  private long bytes;
  private long begun = System.nanoTime();

  PutRun(Connection connection, Index index, BuildCounters counters) {
    this.connection = connection;
    this.index = index;
    this.counters = counters;
    this.request = index.strategy().mergeTime() == MergeTime.AT_WRITE ? MERGED : REQUEST;
  }

  @Override
  public void add(List<Put> entries) {
    puts.addAll(entries);
    for (Put entry : entries) {
      bytes += entry.heapSize();
    }
  }

  @Override
  public boolean isFull() {
    return puts.size() >= ENTRIES || bytes >= BYTES || System.nanoTime() - begun >= NANOS;
  }

  /** Writes the run, one request after the other, and starts another. */
  @Override
  public int write() throws IOException {
    RowSort.sort(puts, PutRun::cell, Row.COMPARATOR);
    try (Table table = connection.getTable(index.table())) {
      for (List<Put> entries : Lists.partition(puts, request)) {
        counters.check();
        table.put(entries);
      }
    }
    int written = puts.size();
    puts.clear();
    bytes = 0;
    begun = System.nanoTime();
    return written;
  }

  private static Cell cell(Put entry) {
    return entry.getFamilyCellMap().firstEntry().getValue().get(0);
  }
}
