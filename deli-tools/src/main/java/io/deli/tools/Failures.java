package io.deli.tools;

import io.deli.client.IndexUnavailableException;
import io.deli.index.InvalidIndexException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MasterNotRunningException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** Turns what HBase throws into one line for a person. */
public final class Failures {
  private Failures() {}

  /** The failure that tells a person of it. */
  public static Failure explain(Throwable thrown) {
    Throwable cause = unwrap(thrown);
    if (cause instanceof Failure failure) {
      return failure;
    }
    return new Failure(code(cause), message(cause), thrown);
  }

  private static Throwable unwrap(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null && isWrapper(cause)) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static boolean isWrapper(Throwable thrown) {
    return thrown instanceof UncheckedIOException
        || thrown instanceof ExecutionException
        || thrown instanceof CompletionException
        || thrown instanceof RetriesExhaustedException;
  }

  private static int code(Throwable cause) {
    return cause instanceof MasterNotRunningException ? ExitCode.UNAVAILABLE : ExitCode.FAILED;
  }

  /** The first line of the message, without the class name that a server puts before it. */
  private static String text(Throwable cause) {
    String message = cause.getMessage() == null ? "" : cause.getMessage();
    String line = message.lines().findFirst().orElse("");
    return line.replaceFirst("^(?:[a-z0-9]+[.])+[A-Za-z]+(?:Exception|Error): ", "");
  }

  private static String message(Throwable cause) {
    String text = text(cause);
    if (cause instanceof TableNotFoundException) {
      return "table '" + text + "' does not exist: 'deli create-table' creates it";
    }
    if (cause instanceof TableExistsException) {
      return "table '" + text + "' exists already: choose another name";
    }
    if (cause instanceof NamespaceNotFoundException) {
      return "namespace '" + text + "' does not exist: create it in the hbase shell";
    }
    if (cause instanceof NoSuchColumnFamilyException) {
      return text + ": use one of the table's families";
    }
    if (cause instanceof AccessDeniedException) {
      return "HBase denies access: " + text;
    }
    if (cause instanceof InvalidIndexException
        || cause instanceof IndexUnavailableException
        || cause instanceof IllegalArgumentException
        || cause.getClass() == DoNotRetryIOException.class) {
      return text.isEmpty() ? cause.toString() : text;
    }
    return text.isEmpty() ? cause.toString() : cause.getClass().getSimpleName() + ": " + text;
  }
}
