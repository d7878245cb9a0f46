package io.deli.coprocessor.internal.send;

import io.deli.entry.EntryCodec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
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

  private final TableName table;
  private final List<Cell> markers;
  private final int priority;
  private volatile boolean acknowledged;
  private volatile Throwable failure;

  public IndexDelete(TableName table, Cell marker) {
    this(table, List.of(marker), HConstants.PRIORITY_UNSET);
  }

  /**
   * @param markers of one row; at least one
   */
  public IndexDelete(TableName table, List<Cell> markers, int priority) {
    this.table = table;
    this.markers = markers;
    this.priority = priority;
  }

  /** The number of its cells. */
  public int cells() {
    return markers.size();
  }

  /** A cell of its row. */
  public Cell first() {
    return markers.get(0);
  }

  public TableName table() {
    return table;
  }

  /**
   * The delete as a client sends it, made anew: observers of a region take cells out of what they
   * merge, and HBase takes a delete without cells for one of the whole row.
   */
  public Delete delete() {
    return EntryCodec.delete(markers).setPriority(priority);
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
