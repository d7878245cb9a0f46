package io.deli.coprocessor.internal.send;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;

/** The deletes of one row of an index table, and whether the table has acknowledged them. */
public final class IndexDelete {
  /** Carries deletes to index tables. */
  public interface Sender {
    /**
     * Sends deletes to one index table without waiting, in one request to each region server that
     * has some of them. Each is marked as soon as its server answers.
     *
     * @param deletes sorted by row
     * @param timeoutMillis after which trying again is pointless
     * @param acknowledged called by any thread, each time that some are acknowledged
     * @return completes, never exceptionally, when every delete was answered or given up
     */
    CompletableFuture<Void> send(
        TableName table, List<IndexDelete> deletes, long timeoutMillis, Runnable acknowledged);
  }

  /** The overhead of a row in HBase's client, and in a compaction that keeps account of it. */
  private static final long UNDER_WAY_BYTES = 500;

  private final TableName table;
  private final Delete delete;
  private int cells;
  private volatile boolean acknowledged;
  private volatile Throwable failure;

  public IndexDelete(TableName table, Delete delete) {
    this.table = table;
    this.delete = delete;
    cells = delete.size();
  }

  /** Adds a cell of the same row. Must not be called once it is sent. */
  public void add(Cell cell) {
    try {
      delete.add(cell);
      cells++;
    } catch (IOException e) {
      throw new UncheckedIOException("a delete of another row: " + cell, e);
    }
  }

  /** The number of its cells, which {@code Delete.size} counts anew at each call. */
  public int cells() {
    return cells;
  }

  /** Bytes of memory that a delete takes while it is under way; an estimate, rather too large. */
  public static long heapSize(Delete delete) {
    return UNDER_WAY_BYTES + delete.heapSize();
  }

  public TableName table() {
    return table;
  }

  public Delete delete() {
    return delete;
  }

  public boolean isAcknowledged() {
    return acknowledged;
  }

  public void acknowledge() {
    acknowledged = true;
  }

  public void fail(Throwable reason) {
    failure = reason;
  }

  /** The reason of its refusal; empty while it is under way. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }
}
