package io.deli.tools;

import io.deli.tools.output.Texts;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The exception behind those that only say that something failed: those of futures, and those by
 * which HBase's client gives up.
 *
 * <p>The latter have the error of the last attempt as their cause, or one for each operation of a
 * batch; and others quote their message, so that what stands before the quotation is kept. Only one
 * that has crossed the network has neither: of that, the last line of its list of attempts is left.
 */
final class GivenUp {
  /** Part of HBase's own list of attempts, which may be empty. */
  private static final Pattern ATTEMPTS =
      Pattern.compile("Failed (after attempts=|contacting )|\\R");

  private final List<String> contexts = new ArrayList<>();
  private boolean gaveUp;
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

  /** The operations that failed, as the exceptions on the way name them. */
  List<String> contexts() {
    return contexts;
  }

  /** The exit code of the first failure on the way; empty if there is none. */
  OptionalInt exitCode() {
    return exitCode;
  }

  /** Puts the operations, and that the client gave up, before what the cause says. */
  String around(String message) {
    List<String> parts = new ArrayList<>(contexts);
    boolean exhausted = cause instanceof RetriesExhaustedException;
    String text = Objects.requireNonNullElse(cause.getMessage(), "");
    // DELI's own retries say why they end, not how often was tried.
    boolean tellsWhy = exhausted && !text.isEmpty() && !ATTEMPTS.matcher(text).find();
    // A refusal is never tried again, but a batch reports it as if it had been.
    if (gaveUp && !tellsWhy && !(cause instanceof DoNotRetryIOException)) {
      parts.add("HBase's client gave up");
    }
    parts.add(exhausted && !tellsWhy ? lastAttempt(text) : message);
    return String.join(": ", parts);
  }

  private static String lastAttempt(String attempts) {
    return attempts
        .lines()
        .skip(1)
        .filter(line -> !line.isBlank() && !line.startsWith("\t") && !line.startsWith("Caused by"))
        .reduce((first, second) -> second)
        .map(Failures::withoutClasses)
        .orElse(
            "nothing answered within its time: see whether HBase's master and region servers run");
  }

  /** The next exception to look at; null if this one is the last. */
  private Throwable look(Throwable thrown) {
    Throwable below = thrown.getCause();
    if (thrown instanceof RetriesExhaustedWithDetailsException many
        && many.getCauses() != null
        && many.getNumExceptions() > 0) {
      return foremost(many);
    }
    if (thrown instanceof RetriesExhaustedException) {
      gaveUp = true;
      // What a server sent carries its message once more, as its cause.
      return below instanceof RemoteException ? null : below;
    }
    if (isWrapper(thrown, below)) {
      return below;
    }
    if (thrown instanceof Failure failure && exitCode.isEmpty()) {
      exitCode = OptionalInt.of(failure.exitCode());
    }
    return below != null && quotesClient(thrown, below) ? below : null;
  }

  /** Whether an exception tells nothing of its own. */
  private static boolean isWrapper(Throwable thrown, Throwable below) {
    return below != null
        && (thrown instanceof UncheckedIOException
            || thrown instanceof ExecutionException
            || thrown instanceof CompletionException
            || below.toString().equals(thrown.getMessage()));
  }

  /** Whether the client gave up below; then what the exception says before that is a context. */
  private boolean quotesClient(Throwable thrown, Throwable below) {
    if (!(below instanceof RetriesExhaustedException) && !isOnTheWay(below)) {
      return false;
    }
    String line = line(thrown);
    int quotation = line.indexOf(below.getClass().getName());
    if (quotation < 0) {
      quotation = line(below).isEmpty() ? -1 : line.indexOf(line(below));
    }
    if (quotation < 0 && (thrown instanceof Failure || thrown instanceof DoNotRetryIOException)) {
      return false;
    }
    String context = quotation < 0 ? line : line.substring(0, quotation);
    contexts.add(context.replaceFirst("[(: ]+$", ""));
    return true;
  }

  private static boolean isOnTheWay(Throwable below) {
    Throwable next = below.getCause();
    return next instanceof RetriesExhaustedException && line(below).contains(line(next));
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

  /** The first line of the message. */
  static String line(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? "" : message.lines().findFirst().orElse("");
  }
}
