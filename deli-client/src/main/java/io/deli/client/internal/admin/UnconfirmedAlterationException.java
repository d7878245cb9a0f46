package io.deli.client.internal.admin;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.hbase.TableName;

/** The master did not refuse to alter a table, and may do so yet: what that names must stay. */
final class UnconfirmedAlterationException extends IOException {
  private static final long serialVersionUID = 1L;

  UnconfirmedAlterationException(TableName table, IOException cause) {
    super(
        "it is not known whether the master has altered table %1$s, or will yet. Look at its indexes (deli list %1$s) before you try again."
            .formatted(table),
        cause);
  }

  /** Whether a failure leaves open what became of an alteration. */
  static boolean isCause(Exception failure) {
    return failure instanceof UnconfirmedAlterationException
        || failure instanceof InterruptedIOException;
  }
}
