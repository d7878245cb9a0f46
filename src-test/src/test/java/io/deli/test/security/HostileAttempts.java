package io.deli.test.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts what becomes of attempts to do harm: each is answered or refused, at little cost. */
final class HostileAttempts {
  /** Failures by which a decoder that trusts its input ends. */
  private static final Pattern DEFECT =
      Pattern.compile(
          "NullPointer|OutOfBounds|NegativeArraySize|NoSuchElement|OutOfMemory|ClassCast|StackOverflow"
              + "|Underflow|Arithmetic|NumberFormat|AssertionError|Timeout|: (null|len < 0)$",
          Pattern.MULTILINE);

  /** Within this JVM, in which the cluster runs. */
  private static final long MOST_BYTES = 64L << 20;

  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final SortedMap<String, Integer> answers = new TreeMap<>();
  private long mostBytes;

  /** An attempt. */
  interface Attempt {
    void run() throws IOException;
  }

  /** Makes an attempt. */
  void make(String kind, Attempt attempt) {
    long begun = System.nanoTime();
    long before = allocated();
    count(kind, outcome(attempt));
    long bytes = allocated() - before;
    mostBytes = Math.max(mostBytes, bytes);
    if (bytes > MOST_BYTES) {
      count(kind, "DEFECT: allocates " + bytes);
    }
    if (System.nanoTime() - begun > LONGEST.toNanos()) {
      count(kind, "DEFECT: takes too long");
    }
  }

  private static String outcome(Attempt attempt) {
    try {
      attempt.run();
      return "answered";
    } catch (IOException | RuntimeException e) {
      Throwable failure = e instanceof UncheckedIOException ? e.getCause() : e;
      String reason = failure.toString().replaceAll("\n\tat .*", "");
      Matcher defect = DEFECT.matcher(reason);
      if (defect.find()) {
        return "DEFECT: " + defect.group() + " in " + reason;
      }
      return "refused by " + failure.getClass().getSimpleName();
    }
  }

  private void count(String kind, String outcome) {
    answers.merge(kind + ": " + outcome, 1, Integer::sum);
  }

  /** Bytes that all threads there are have allocated. */
  private static long allocated() {
    return Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())).sum();
  }

  /** Prints the counts, and fails if an attempt was none that was answered or refused. */
  void report(String title) {
    int all = answers.values().stream().mapToInt(Integer::intValue).sum();
    System.out.printf("%s: %d attempts, %d KB at most%n", title, all, mostBytes >> 10);
    answers.forEach((answer, count) -> System.out.printf("  %6d %s%n", count, answer));
    assertThat(answers.keySet()).noneMatch(answer -> answer.contains("DEFECT"));
  }
}
