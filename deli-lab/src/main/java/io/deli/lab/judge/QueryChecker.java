package io.deli.lab.judge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Decides for each query by value whether its answer can be: every hit satisfied the condition at
 * some moment between the call and the moment the hit was given, and every row that satisfied it at
 * every moment of the call was returned exactly once.
 *
 * <p>What a row contained is known from calls and returns of the writes alone ({@link
 * RowContents}), and remembered back to the oldest query in flight. So a right answer is never
 * accused; a row that is being written all the time, from one value that satisfies the condition to
 * another, is known to satisfy it.
 *
 * <p>A page is a call of its own, about the part of the index behind the page before.
 */
public final class QueryChecker implements HistoryJudge.Checker {
  private static final int TOLD = 20;
  private static final int WRITES = 12;

  private final Set<String> columns;
  private final Map<String, RowContents> rows = new HashMap<>();
  private final RowsByValue values = new RowsByValue();

  /** The number of queries in flight by the time at which they began. */
  private final TreeMap<Long, Integer> begins = new TreeMap<>();

  private final List<String> violations = new ArrayList<>();

  /**
   * @param columns that queries ask about
   */
  QueryChecker(Set<String> columns) {
    this.columns = Set.copyOf(columns);
  }

  static Set<String> columns(Collection<RowQuery> queries) {
    return queries.stream()
        .flatMap(query -> query.condition().columns().stream())
        .collect(Collectors.toSet());
  }

  @Override
  public Ruling ruling() {
    return new Ruling(violations, List.of());
  }

  @Override
  public void called(RowOperation operation) {
    if (!operation.isRead()) {
      RowContents contents = rows.computeIfAbsent(operation.row(), row -> new RowContents(columns));
      values.add(operation.row(), contents.called(operation));
    }
  }

  @Override
  public void returned(RowOperation operation) {
    RowContents contents = operation.isRead() ? null : rows.get(operation.row());
    if (contents == null) {
      return;
    }
    contents.returned(operation);
    long needed = begins.isEmpty() ? operation.span().ended() : begins.firstKey();
    values.remove(operation.row(), contents.forget(needed), contents);
    if (contents.isEmpty()) {
      rows.remove(operation.row());
    }
  }

  @Override
  public void settled(Span calm) {
    rows.values().forEach(contents -> contents.settled(calm));
  }

  @Override
  public void called(RowQuery query) {
    begins.merge(query.span().begun(), 1, Integer::sum);
  }

  @Override
  public void returned(RowQuery query) {
    if (violations.size() < TOLD) {
      judge(query);
    }
    begins.computeIfPresent(query.span().begun(), (b, count) -> count == 1 ? null : count - 1);
  }

  private void judge(RowQuery query) {
    Map<String, Integer> times = new TreeMap<>();
    for (RowQuery.Hit hit : query.hits()) {
      times.merge(hit.row(), 1, Integer::sum);
      if (!mayHit(query, hit)) {
        accuse(query, hit.row(), "returned, as '%s', at no moment so,".formatted(hit.value()));
      }
    }
    values.candidates(query.condition()).forEach(row -> times.putIfAbsent(row, 0));
    times.forEach(
        (row, returned) -> {
          RowContents contents = rows.get(row);
          if (returned != 1 && contents != null && must(query, row, contents)) {
            accuse(query, row, returned == 0 ? "missed" : "returned %d times".formatted(returned));
          }
        });
  }

  private boolean mayHit(RowQuery query, RowQuery.Hit hit) {
    RowContents contents = rows.get(hit.row());
    Span span = new Span(query.span().begun(), hit.taken());
    return contents != null
        && contents.during(span, query.condition().columns()).stream()
            .flatMap(List::stream)
            .anyMatch(each -> query.allows(hit, each));
  }

  private static boolean must(RowQuery query, String row, RowContents contents) {
    for (List<Map<String, Optional<String>>> moment :
        contents.during(query.span(), query.condition().columns())) {
      if (!moment.stream().allMatch(each -> query.wants(row, each))) {
        return false;
      }
    }
    return true;
  }

  private void accuse(RowQuery query, String row, String what) {
    StringBuilder text = new StringBuilder("%s: %s row %s".formatted(query, what, row));
    RowContents contents = rows.get(row);
    if (contents == null) {
      violations.add(text.append(", which nobody wrote, or somebody deleted before").toString());
      return;
    }
    List<RowOperation> writes = contents.writes(query.span(), query.condition().columns());
    text.append("; its last writes");
    for (RowOperation write : writes.subList(0, Math.min(WRITES, writes.size()))) {
      text.append("\n    ").append(RowSearch.line(write));
    }
    violations.add(text.toString());
  }

  /** The rows that may have, or have had of late, a value in a column. */
  private static final class RowsByValue {
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

    /**
     * Removes the values of changes that were forgotten, if no other change of the row has them.
     */
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
}
