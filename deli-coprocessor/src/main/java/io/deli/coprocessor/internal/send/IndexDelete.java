package io.deli.coprocessor.internal.send;

import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;

/** The deletes of one row of an index table, and whether the table has acknowledged them. */
public final class IndexDelete {
  /** Of HBase's client for each row of a request, and of a compaction that keeps account of it. */
  private static final long UNDER_WAY_BYTES = 500;

  private final TableName table;
  private final Delete delete;
  private volatile boolean acknowledged;
  private volatile Throwable failure;

  public IndexDelete(TableName table, Delete delete) {
    this.table = table;
    this.delete = delete;
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
