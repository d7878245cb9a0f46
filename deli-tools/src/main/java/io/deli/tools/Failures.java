package io.deli.tools;

import io.deli.client.IndexUnavailableException;
import io.deli.index.InvalidIndexException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MasterNotRunningException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** Turns what HBase throws into one line for a person. */
public final class Failures {
  private Failures() {}

  /** The failure that tells a person of it. */
  public static Failure explain(Throwable thrown) {
    GivenUp found = GivenUp.of(thrown);
    if (found.cause() instanceof Failure failure) {
      return failure;
    }
    String message;
    if (!found.reason().isEmpty()) {
      message = shortened(found.reason());
    } else if (found.silent()) {
      message =
          "nothing answered within its time: see whether HBase's master and region servers run";
    } else {
      message = message(found.cause()) + remedy(found.cause());
    }
    int exitCode = found.exitCode().orElseGet(() -> code(found.cause()));
    return new Failure(exitCode, found.around(message), thrown);
  }

  private static int code(Throwable cause) {
    return cause instanceof MasterNotRunningException ? ExitCode.UNAVAILABLE : ExitCode.FAILED;
  }

  /** The first line of the message, without the class name that a server puts before it. */
  private static String text(Throwable cause) {
    String message = cause.getMessage() == null ? "" : cause.getMessage();
    String line = message.lines().findFirst().orElse("");
    return shortened(line.replaceFirst("^(?:[a-z0-9]+[.])+[A-Za-z]+(?:Exception|Error): ", ""));
  }

  /** Exceptions are named without their packages. */
  private static String shortened(String line) {
    return line.replaceAll(
        "\\b(?:[a-z][a-z0-9_]*[.]){2,}(?:\\w+[$])*(\\w+(?:Exception|Error))\\b", "$1");
  }

  /** What to look at when an attempt has failed by this, if anything. */
  private static String remedy(Throwable cause) {
    if (cause instanceof ConnectException
        || cause instanceof UnknownHostException
        || cause instanceof NoRouteToHostException
        || cause instanceof FailedServerException
        || cause instanceof SocketTimeoutException
        || cause instanceof CallTimeoutException
        || cause instanceof ConnectionClosedException) {
      return ": see whether that server runs and can be reached from here";
    }
    if (cause instanceof NotServingRegionException) {
      return ": see HBase's master for where that region is to open, and why it does not";
    }
    if (cause instanceof RegionTooBusyException) {
      return ": write more slowly, or wait until that region is flushed";
    }
    if (cause instanceof PleaseHoldException || cause instanceof ServerNotRunningYetException) {
      return ": HBase is starting, so try again in a while";
    }
    return "";
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
