package io.deli.tools;

import io.deli.tools.output.Texts;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.ipc.RemoteException;

/**
 * What is behind the exceptions that only say that something failed: those of futures, and those by
 * which HBase's client gives up.
 *
 * <p>The latter count the attempts in the first line of their message and tell why in the lines
 * below it, or in their cause, or for each operation; and others quote that message.
 */
final class GivenUp {
  private static final Pattern GAVE_UP =
      Pattern.compile(
          "(?<context>.*?)[(: ]*(?:[\\w.$]+Exception: )?Failed (?:contacting (?<whom>.*) )?"
              + "after (?:attempts=(?<tries>\\d+), exceptions:|(?<attempts>\\d+) attempts[.])");

  /** One attempt, as HBase lists it: when, by whom or on which server, and its error. */
  private static final Pattern ATTEMPT =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT\\S+Z, (?:RpcRetryingCaller\\{[^}]*\\}, )?"
              + "(?:(?<host>[^,\\s]+),(?<port>\\d+),\\d+, )?(?<error>.*)");

  private final List<String> contexts = new ArrayList<>();
  private String attempts = "";
  private String server = "";
  private String reason = "";
  private boolean listed;
  private OptionalInt exitCode = OptionalInt.empty();
  private Throwable cause;

  private GivenUp(Throwable thrown) {
    cause = thrown;
  }

  static GivenUp of(Throwable thrown) {
    GivenUp found = new GivenUp(thrown);
    Throwable next = thrown;
    while (next != null) {
      found.cause = next;
      next = found.look(next);
    }
    return found;
  }

  /** The exception that tells most; one of HBase's client's own if it knows no other. */
  Throwable cause() {
    return cause;
  }

  /** That of the first failure on the way; empty if there is none. */
  OptionalInt exitCode() {
    return exitCode;
  }

  /** What the last attempt failed by, if no exception tells that any more; else empty. */
  String reason() {
    return reason;
  }

  /** Whether the client gave up without a word about why. */
  boolean silent() {
    return !attempts.isEmpty() && reason.isEmpty() && GAVE_UP.matcher(line(cause)).matches();
  }

  /** What was to be done, how often that was tried, and where; then what the cause says. */
  String around(String message) {
    List<String> parts = new ArrayList<>(contexts);
    // A refusal is never tried again, but a batch reports it as if it had been.
    if (!attempts.isEmpty() && !(cause instanceof DoNotRetryIOException)) {
      String host = server.replaceFirst(":.*", "");
      String where = host.isEmpty() || message.contains(host) ? "" : ", the last one on " + server;
      parts.add("HBase's client gave up after %s attempts%s".formatted(attempts, where));
    }
    parts.add(message);
    return String.join(": ", parts);
  }

  /** The next exception to look at; null if this one is the last. */
  private Throwable look(Throwable thrown) {
    Throwable below = thrown.getCause();
    if (thrown instanceof RetriesExhaustedWithDetailsException many
        && many.getCauses() != null
        && many.getNumExceptions() > 0) {
      return foremost(many);
    }
    if (isWrapper(thrown, below)) {
      return below;
    }
    if (thrown instanceof Failure failure && exitCode.isEmpty()) {
      exitCode = OptionalInt.of(failure.exitCode());
    }
    Matcher counted = GAVE_UP.matcher(line(thrown));
    if (counted.matches()) {
      count(counted);
      readAttempts(thrown.getMessage());
      // What a server sent carries its message once more, as its cause.
      return below instanceof RemoteException ? null : forget(below);
    }
    if (thrown instanceof RetriesExhaustedException && !(below instanceof RemoteException)) {
      return below;
    }
    if (below instanceof RetriesExhaustedException
        && !(thrown instanceof Failure)
        && !(thrown instanceof DoNotRetryIOException)) {
      contexts.add(line(thrown));
      return below;
    }
    return null;
  }

  /** Whether an exception tells nothing of its own. */
  private static boolean isWrapper(Throwable thrown, Throwable below) {
    return below != null
        && (thrown instanceof UncheckedIOException
            || thrown instanceof ExecutionException
            || thrown instanceof CompletionException
            || below.toString().equals(thrown.getMessage()));
  }

  /** An exception tells more than the line about it. */
  private Throwable forget(Throwable below) {
    if (below != null) {
      reason = "";
    }
    return below;
  }

  private void count(Matcher counted) {
    if (!counted.group("context").isEmpty()) {
      contexts.add(counted.group("context"));
    }
    if (counted.group("whom") != null) {
      contexts.add("no answer of " + counted.group("whom"));
    }
    attempts = counted.group("tries") == null ? counted.group("attempts") : counted.group("tries");
  }

  private void readAttempts(String message) {
    List<String> lines = message.lines().skip(1).filter(GivenUp::tells).toList();
    for (String line : lines) {
      Matcher attempt = ATTEMPT.matcher(line);
      if (attempt.matches()) {
        reason = attempt.group("error");
        server =
            attempt.group("host") == null
                ? ""
                : attempt.group("host") + ":" + attempt.group("port");
      } else if (line.matches("(?:[a-z][\\w]*[.])+[\\w$]+(?:Exception|Error)\\b.*")) {
        reason = line;
      }
    }
  }

  /** Not so the lines of a stack that a server sent. */
  private static boolean tells(String line) {
    return !line.isBlank() && !Character.isWhitespace(line.charAt(0));
  }

  /** The failure that most operations of a batch share, and how many failed, and where. */
  private Throwable foremost(RetriesExhaustedWithDetailsException many) {
    Map<String, List<Integer>> alike = new LinkedHashMap<>();
    for (int i = 0; i < many.getNumExceptions(); i++) {
      Throwable one = many.getCause(i);
      if (one != null) {
        alike.computeIfAbsent(one.getClass() + line(one), k -> new ArrayList<>()).add(i);
      }
    }
    if (alike.isEmpty()) {
      return null;
    }
    List<Integer> most =
        Collections.max(alike.values(), (a, b) -> Integer.compare(a.size(), b.size()));
    if (!listed) {
      contexts.add(batch(many, most, alike.size()));
      listed = true;
    }
    return many.getCause(most.get(0));
  }

  private static String batch(
      RetriesExhaustedWithDetailsException many, List<Integer> most, int kinds) {
    int first = most.get(0);
    Row row = many.getRow(first);
    String host = many.getHostnamePort(first);
    return "%d operation%s failed%s%s%s"
        .formatted(
            many.getNumExceptions(),
            many.getNumExceptions() == 1 ? "" : "s",
            kinds == 1 ? "" : " in %d ways, %d so".formatted(kinds, most.size()),
            row == null ? "" : ", first of row " + Texts.format(row.getRow()),
            host != null && host.matches(".*:\\d+") ? ", on " + host : "");
  }

  private static String line(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? "" : message.lines().findFirst().orElse("");
  }
}
