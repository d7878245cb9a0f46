package io.deli.service;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;

/** The error texts for an index table that is missing or disabled. */
public final class IndexTableErrors {
  private IndexTableErrors() {}

  /** Whether a request to an index table failed because that is missing or disabled. */
  public static boolean isCause(Throwable failure) {
    return failure instanceof TableNotFoundException || failure instanceof TableNotEnabledException;
  }

  /**
   * Returns the message for the caller, with the remedy.
   *
   * @param failure one that {@link #isCause}
   */
  public static String message(TableName base, String indexTable, Throwable failure) {
    String message =
        failure instanceof TableNotFoundException
            ? "table %1$s: index table %2$s is missing. Disable the index and rebuild it (deli disable-index, deli build), or drop it."
            : "table %1$s: index table %2$s is disabled. If table %1$s was restored from a snapshot, disable the index and rebuild it (deli disable-index, deli build); otherwise enable the index table.";
    return message.formatted(base, indexTable);
  }
}
