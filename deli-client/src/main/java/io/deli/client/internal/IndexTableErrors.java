package io.deli.client.internal;

import io.deli.client.IndexUnavailableException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;

/** What readers and writers say of an index table that is missing or disabled. */
public final class IndexTableErrors {
  private IndexTableErrors() {}

  /** Whether a failure, of a request to an index table, comes of that. */
  public static boolean caused(Throwable failure) {
    return failure instanceof TableNotFoundException || failure instanceof TableNotEnabledException;
  }

  /**
   * The error for whoever asked.
   *
   * @param failure one that it {@link #caused}
   */
  public static IndexUnavailableException error(TableName base, String table, Throwable failure) {
    String message =
        failure instanceof TableNotFoundException
            ? "table %1$s: the index table %2$s is missing: disable the index and build it anew (deli disable-index, deli build), or drop it"
            : "table %1$s: the index table %2$s is disabled: if table %1$s was restored from a snapshot, disable the index and build it anew (deli disable-index, deli build), otherwise enable its table";
    return new IndexUnavailableException(message.formatted(base, table), failure);
  }
}
