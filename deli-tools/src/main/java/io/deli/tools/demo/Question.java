package io.deli.tools.demo;

import io.deli.client.ValueQuery;
import java.util.List;
import java.util.function.Predicate;

/**
 * A query, and the same said independently of DELI, so that its answer can be checked.
 *
 * @param title what it asks, for a person
 * @param shell the options of {@code deli query} that ask the same
 * @param alternatives the condition as a list of alternatives, each a list of terms that all hold
 */
record Question(String title, String shell, ValueQuery query, List<List<Term>> alternatives) {

  /** A condition on the text form of a column's value. */
  record Term(String column, Predicate<String> holds) {}

  /** A condition on one column. */
  static Question of(
      String title, String shell, ValueQuery query, String column, Predicate<String> holds) {
    return new Question(title, shell, query, List.of(List.of(new Term(column, holds))));
  }
}
