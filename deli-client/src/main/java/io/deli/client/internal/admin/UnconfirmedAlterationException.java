package io.deli.client.internal.admin;

import java.io.IOException;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.ExceptionUtil;

/** The master did not refuse to alter a table, and may do so yet: what that names must stay. */
final class UnconfirmedAlterationException extends IOException {
  private static final long serialVersionUID = 1L;

  private UnconfirmedAlterationException(TableName table, IOException cause) {
    super(
        "it is not known whether the master has altered table %1$s, or will yet. Look at its indexes (deli indexes %1$s) before you try again."
            .formatted(table),
        cause);
  }

  /** The failure to throw for that of an alteration: itself where the master refused. */
  static IOException unlessRefused(TableName table, IOException failure) {
    if (failure instanceof DoNotRetryIOException) {
      return failure;
    }
    if (ExceptionUtil.isInterrupt(failure)) {
      failure.addSuppressed(new UnconfirmedAlterationException(table, null));
      return failure;
    }
    return new UnconfirmedAlterationException(table, failure);
  }

  /** Whether a failure leaves open what became of an alteration. */
  static boolean isCause(Exception failure) {
    return Stream.concat(Stream.of(failure), Stream.of(failure.getSuppressed()))
        .anyMatch(UnconfirmedAlterationException.class::isInstance);
  }
}
