package io.deli.lab.judge;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** The rows that may have, or have had of late, a value in a column. */
final class RowsByValue {
  private final Map<String, NavigableMap<String, Set<String>>> columns = new HashMap<>();

  void add(String row, RowContents.Change change) {
    change
        .values()
        .forEach(
            (column, value) ->
                value.ifPresent(
                    v ->
                        columns
                            .computeIfAbsent(column, c -> new TreeMap<>())
                            .computeIfAbsent(v, each -> new HashSet<>(2))
                            .add(row)));
  }

  /** Removes the values of changes that were forgotten, if no other change of the row has them. */
  void remove(String row, Iterable<RowContents.Change> forgotten, RowContents left) {
    for (RowContents.Change change : forgotten) {
      change
          .values()
          .forEach(
              (column, value) -> {
                if (value.isPresent() && !left.mayHave(column, value.get())) {
                  columns
                      .get(column)
                      .computeIfPresent(
                          value.get(),
                          (v, rows) -> rows.remove(row) && rows.isEmpty() ? null : rows);
                }
              });
    }
  }

  /** At least those rows that certainly satisfied a condition when a query began. */
  Set<String> candidates(QueryCondition condition) {
    Set<String> rows = new HashSet<>();
    if (condition instanceof QueryCondition.Both both) {
      return candidates(both.one());
    } else if (condition instanceof QueryCondition.Either either) {
      rows.addAll(candidates(either.one()));
      rows.addAll(candidates(either.other()));
    } else if (condition instanceof QueryCondition.Prefix prefix) {
      of(prefix.column()).tailMap(prefix.prefix(), true).entrySet().stream()
          .takeWhile(each -> each.getKey().startsWith(prefix.prefix()))
          .forEach(each -> rows.addAll(each.getValue()));
    } else {
      QueryCondition.Between between = (QueryCondition.Between) condition;
      if (between.low().compareTo(between.high()) <= 0) {
        of(between.column())
            .subMap(between.low(), true, between.high(), true)
            .values()
            .forEach(rows::addAll);
      }
    }
    return rows;
  }

  private NavigableMap<String, Set<String>> of(String column) {
    return columns.getOrDefault(column, new TreeMap<>());
  }
}
