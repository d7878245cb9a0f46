package io.deli.tools;

import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
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

/** Turns what HBase throws into one line for a person. */
public final class Failures {
  private static final String REACH = ": see whether that server runs and can be reached from here";
  private static final String STARTING = ": HBase is starting, so try again in a while";

  /** The exceptions whose message alone is not enough, with {@code %s} in its place. */
  private static final List<Known> KNOWN =
      List.of(
          new Known(
              TableNotFoundException.class,
              "table '%s' does not exist: 'deli create-table' creates it"),
          new Known(TableExistsException.class, "table '%s' exists already: choose another name"),
          new Known(
              NamespaceNotFoundException.class,
              "namespace '%s' does not exist: create it in the hbase shell"),
          new Known(NoSuchColumnFamilyException.class, "%s: use one of the table's families"),
          new Known(
              org.apache.hadoop.hbase.security.AccessDeniedException.class,
              "HBase denies access: %s"),
          new Known(CallTimeoutException.class, "a server did not answer in time (%s)" + REACH),
          new Known(ConnectException.class, "%s" + REACH),
          new Known(UnknownHostException.class, "unknown host %s" + REACH),
          new Known(NoRouteToHostException.class, "%s" + REACH),
          new Known(FailedServerException.class, "%s" + REACH),
          new Known(SocketTimeoutException.class, "%s" + REACH),
          new Known(ConnectionClosedException.class, "%s" + REACH),
          new Known(
              NotServingRegionException.class,
              "region %s: see HBase's master for where that region is to open, and why it does"
                  + " not"),
          new Known(
              RegionTooBusyException.class,
              "%s: write more slowly, or wait until that region is flushed"),
          new Known(PleaseHoldException.class, "%s" + STARTING),
          new Known(ServerNotRunningYetException.class, "%s" + STARTING),
          new Known(NoSuchFileException.class, "%s: no such file"),
          new Known(AccessDeniedException.class, "%s: permission denied"));

  private Failures() {}

  private record Known(Class<? extends Throwable> type, String says) {}

  /** The failure that tells a person of it. */
  public static Failure explain(Throwable thrown) {
    GivenUp found = GivenUp.of(thrown);
    if (found.cause() instanceof Failure failure && found.contexts().isEmpty()) {
      return failure;
    }
    int exitCode = found.exitCode().orElseGet(() -> code(found.cause()));
    return new Failure(exitCode, found.around(reason(found.cause())), thrown);
  }

  /** Sets the thread's interrupt status again and returns the exception to throw. */
  public static InterruptedIOException stopped(InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException stopped = new InterruptedIOException("stopped");
    stopped.initCause(cause);
    return stopped;
  }

  /** Returns the message of an exception without its class, and what to look at. */
  public static String reason(Throwable cause) {
    String text = text(cause);
    for (Known known : KNOWN) {
      if (known.type().isInstance(cause)) {
        return known.says().formatted(text);
      }
    }
    return text;
  }

  private static int code(Throwable cause) {
    return cause instanceof MasterNotRunningException ? ExitCode.UNAVAILABLE : ExitCode.FAILED;
  }

  /** The first line of the message without names of classes; without a message, what it is. */
  private static String text(Throwable cause) {
    String text = withoutClasses(GivenUp.line(cause));
    return text.isBlank() ? words(cause.getClass().getSimpleName()) : text;
  }

  /** Exceptions that are quoted with the name of their class. */
  static String withoutClasses(String line) {
    return line.replaceAll(
        "\\b(?:[a-z][a-z0-9_]*[.])*(?:\\w+[$])*\\w+(?:Exception|Error)(?:: |$)", "");
  }

  private static String words(String simpleName) {
    return simpleName
        .replaceFirst("(Exception|Error)$", "")
        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT);
  }
}
