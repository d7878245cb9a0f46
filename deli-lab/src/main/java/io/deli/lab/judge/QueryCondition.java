package io.deli.lab.judge;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A condition of a query by value, on text in the order of its bytes. Immutable. */
public sealed interface QueryCondition {
  /** Requires a column's newest value to be in a range, bounds included. */
  record Between(String column, String low, String high) implements QueryCondition {
    @Override
    public String toString() {
      return low.equals(high)
          ? "%s = '%s'".formatted(column, low)
          : "%s in ['%s', '%s']".formatted(column, low, high);
    }
  }

  /** Requires a column's newest value to have a prefix. */
  record Prefix(String column, String prefix) implements QueryCondition {
    @Override
    public String toString() {
      return "%s begins with '%s'".formatted(column, prefix);
    }
  }

  /** Requires both to hold. */
  record Both(QueryCondition one, QueryCondition other) implements QueryCondition {
    @Override
    public String toString() {
      return "(%s and %s)".formatted(one, other);
    }
  }

  /** Requires at least one to hold. */
  record Either(QueryCondition one, QueryCondition other) implements QueryCondition {
    @Override
    public String toString() {
      return "(%s or %s)".formatted(one, other);
    }
  }

  static QueryCondition equal(String column, String value) {
    return new Between(column, value, value);
  }

  default Set<String> columns() {
    Set<String> columns = new TreeSet<>();
    if (this instanceof Between between) {
      return Set.of(between.column());
    } else if (this instanceof Prefix prefix) {
      return Set.of(prefix.column());
    } else if (this instanceof Both both) {
      columns.addAll(both.one().columns());
      columns.addAll(both.other().columns());
    } else if (this instanceof Either either) {
      columns.addAll(either.one().columns());
      columns.addAll(either.other().columns());
    }
    return columns;
  }

  /**
   * Whether a row satisfies it.
   *
   * @param contents the newest value of each column, none if it has none; a column that is left out
   *     may have any or none
   * @param benefit whether a column that is left out counts as satisfying
   */
  default boolean accepts(Map<String, Optional<String>> contents, boolean benefit) {
    if (this instanceof Both both) {
      return both.one().accepts(contents, benefit) && both.other().accepts(contents, benefit);
    } else if (this instanceof Either either) {
      return either.one().accepts(contents, benefit) || either.other().accepts(contents, benefit);
    } else if (this instanceof Prefix prefix) {
      return accepts(
          contents, prefix.column(), value -> value.startsWith(prefix.prefix()), benefit);
    }
    Between between = (Between) this;
    return accepts(
        contents,
        between.column(),
        value -> between.low().compareTo(value) <= 0 && value.compareTo(between.high()) <= 0,
        benefit);
  }

  private static boolean accepts(
      Map<String, Optional<String>> contents,
      String column,
      Predicate<String> wanted,
      boolean benefit) {
    return contents.containsKey(column) ? contents.get(column).filter(wanted).isPresent() : benefit;
  }
}
