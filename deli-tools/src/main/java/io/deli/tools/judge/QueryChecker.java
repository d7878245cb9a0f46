package io.deli.tools.judge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Decides for each query by value whether its answer can be: every hit satisfied the condition at
 * some moment between the call and the moment the hit was given, and every row that satisfied it at
 * every moment of the call was returned exactly once.
 *
 * <p>What a row contained is known from calls and returns of the writes alone ({@link
 * RowContents}). So a right answer is never accused; a row that is being written all the time, from
 * one value that satisfies the condition to another, is known to satisfy it.
 *
 * <p>A page is a call of its own, about the part of the index behind the page before.
 */
public final class QueryChecker {
  private static final int TOLD = 20;
  private static final int WRITES = 12;

  private final Map<String, RowContents> rows = new TreeMap<>();

  /**
   * @param operations on all rows
   * @param queries that will be judged
   */
  private QueryChecker(Collection<RowOperation> operations, Collection<RowQuery> queries) {
    Set<String> columns = new TreeSet<>();
    queries.forEach(query -> columns.addAll(query.condition().columns()));
    operations.stream()
        .collect(Collectors.groupingBy(RowOperation::row))
        .forEach((row, own) -> rows.put(row, new RowContents(own, columns)));
  }

  /**
   * Judges the answers.
   *
   * @param operations all writes to the rows of the table
   * @return the earliest violations
   */
  public static Ruling judge(Collection<RowOperation> operations, Collection<RowQuery> queries) {
    QueryChecker checker = new QueryChecker(operations, queries);
    return new Ruling(
        queries.stream()
            .sorted(Comparator.comparingLong(query -> query.span().begun()))
            .flatMap(query -> checker.violations(query).stream())
            .limit(TOLD)
            .toList(),
        List.of());
  }

  private List<String> violations(RowQuery query) {
    List<String> found = new ArrayList<>();
    Map<String, Integer> times = new TreeMap<>();
    for (RowQuery.Hit hit : query.hits()) {
      times.merge(hit.row(), 1, Integer::sum);
      if (!mayHit(query, hit)) {
        found.add(
            violation(
                query, hit.row(), "returned, as '%s', at no moment so,".formatted(hit.value())));
      }
    }
    rows.forEach(
        (row, contents) -> {
          int returned = times.getOrDefault(row, 0);
          if (returned != 1 && must(query, row, contents)) {
            String what = returned == 0 ? "missed" : "returned %d times".formatted(returned);
            found.add(violation(query, row, what));
          }
        });
    return found;
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

  private String violation(RowQuery query, String row, String what) {
    StringBuilder text = new StringBuilder("%s: %s row %s".formatted(query, what, row));
    RowContents contents = rows.get(row);
    if (contents == null) {
      return text.append(", which nobody wrote").toString();
    }
    List<RowOperation> writes = contents.writes(query.span(), query.condition().columns());
    text.append("; its last writes");
    for (RowOperation write : writes.subList(0, Math.min(WRITES, writes.size()))) {
      text.append("\n    ").append(RowSearch.line(write));
    }
    return text.toString();
  }
}
