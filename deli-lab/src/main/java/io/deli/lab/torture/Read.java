package io.deli.lab.torture;

import io.deli.lab.judge.Span;
import java.util.List;
import java.util.function.Predicate;

/**
 * A question of a client and its answer.
 *
 * @param question for people
 * @param rows the rows asked for
 * @param values the values asked for
 * @param versions of a row, the newest, asked for
 */
record Read(
    String question,
    Predicate<String> rows,
    Predicate<String> values,
    int versions,
    List<Sighting> answer,
    Span span) {
  /** A version that a read returned. */
  record Sighting(String row, String value, long timestamp) {
    @Override
    public String toString() {
      return "%s = '%s' @%d".formatted(row, value, timestamp);
    }
  }

  Read during(Span other) {
    return new Read(question, rows, values, versions, answer, other);
  }
}
