package io.deli.client.internal.read;

import io.deli.client.Explanation.Step;
import io.deli.client.ValueQuery;
import io.deli.client.internal.KeyRange;
import io.deli.index.Column;
import io.deli.query.TokenRange;
import io.deli.service.TokenScan;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;

/**
 * A query that has passed all checks. Immutable.
 *
 * @param conjunctions run one after another; those that scan the base table are the last, and run
 *     together. A row that satisfies several comes with the first
 * @param fingerprint tells continuations of this query from others
 * @param start where the results begin
 * @param at where to read on; the start, unless an earlier run has read what lies between
 * @param begun when the query was begun, in milliseconds
 */
record QueryPlan(
    TableName base,
    List<Conjunction> conjunctions,
    ValueQuery.Options options,
    Fingerprint fingerprint,
    Position start,
    Position at,
    long begun) {

  /** Bytes of tokens to send with each Get. */
  private static final int MOST_TOLD = 1_000;

  /** Returns the plan for a run that continues an earlier run of the same query. */
  QueryPlan goingOn(QueryPlan earlier, Position place) {
    return new QueryPlan(base, conjunctions, options, fingerprint, start, place, earlier.begun());
  }

  /** Returns a plan of other scans, for the same query. */
  QueryPlan of(List<Conjunction> others, Position from) {
    return new QueryPlan(base, List.copyOf(others), options, fingerprint, from, from, begun);
  }

  /** Returns the columns to read of base rows, on which every condition is evaluated. */
  Set<Column> columns() {
    Set<Column> columns = new LinkedHashSet<>(options.projection());
    columns.addAll(conditionColumns());
    return columns;
  }

  /** Returns the columns of all conditions. */
  Set<Column> conditionColumns() {
    Set<Column> columns = new LinkedHashSet<>();
    for (Conjunction each : conjunctions) {
      each.tests().forEach(test -> columns.addAll(test.index().columns()));
    }
    return columns;
  }

  /**
   * Returns what a base row has if it is a hit now; empty where that is not one value, nothing but
   * that is read of a row, or to tell it with every row would take much.
   */
  Optional<TokenScan> narrowed() {
    Conjunction only = conjunctions.get(0);
    TokenRange tokens = only.lookup().tokens();
    boolean decides =
        options.versions() == 1
            && conjunctions.size() == 1
            && only.others().isEmpty()
            && !conditionColumns().containsAll(options.projection())
            && tokens.first().length + tokens.end().map(end -> end.length).orElse(0) < MOST_TOLD;
    return decides ? Optional.of(only.tokenScan(OptionalInt.empty())) : Optional.empty();
  }

  /** Returns the conjunctions that are scanned together with one. */
  List<Conjunction> together(int conjunction) {
    int first = scanOf(conjunction);
    int most = conjunctions.get(conjunction).scansBase() ? TokenScan.MOST_TOGETHER : 1;
    return conjunctions.subList(first, Math.min(conjunctions.size(), first + most));
  }

  /** Returns the conjunction by which positions in the scan of one are told. */
  int scanOf(int conjunction) {
    return scanOf(conjunctions, conjunction);
  }

  static int scanOf(List<Conjunction> conjunctions, int conjunction) {
    if (!conjunctions.get(conjunction).scansBase()) {
      return conjunction;
    }
    int first = (int) conjunctions.stream().filter(each -> !each.scansBase()).count();
    return conjunction - (conjunction - first) % TokenScan.MOST_TOGETHER;
  }

  /** Whether each base row is met once, wherever it moves meanwhile. */
  boolean hasOnePlacePerRow() {
    return conjunctions.get(0).hasOnePlacePerRow() && behind(0).isEmpty();
  }

  /** Whether that holds whichever of its conditions rows are found by. */
  boolean meetsRowsOnce() {
    return hasOnePlacePerRow()
        && conjunctions.get(0).alternatives(options).stream()
            .allMatch(Conjunction::hasOnePlacePerRow);
  }

  /** Returns the end of the time range, exclusive. */
  long timeEnd() {
    return options.asOf().isPresent() && options.asOf().getAsLong() < Long.MAX_VALUE
        ? options.asOf().getAsLong() + 1
        : Long.MAX_VALUE;
  }

  /** Returns the keys of the base rows that may be hits. */
  KeyRange rows() {
    return new KeyRange(options.rows().from(), options.rows().before());
  }

  /** Returns the largest number of hits to deliver. */
  OptionalInt most() {
    if (options.mostRecent().isEmpty()) {
      return options.limit();
    }
    int k = options.mostRecent().getAsInt();
    return OptionalInt.of(Math.min(k, options.limit().orElse(k)));
  }

  /** Whether hits must be collected and sorted by time, since entries do not come that way. */
  boolean sortsByTime() {
    return options.mostRecent().isPresent()
        && !(conjunctions.size() == 1 && conjunctions.get(0).lookup().newestFirst());
  }

  /** Whether base rows are looked at in the order of their entries' timestamps, newest first. */
  boolean looksNewestFirst() {
    return options.mostRecent().isPresent() && !conjunctions.get(0).scansBase();
  }

  /**
   * Returns how many of the newest versions in the token range are enough; empty if only
   * verification tells.
   */
  OptionalInt newest() {
    Conjunction only = conjunctions.get(0);
    boolean sure =
        options.mostRecent().isPresent()
            && conjunctions.size() == 1
            && only.others().isEmpty()
            && only.index().condition().isEmpty()
            && only.index().tokenizer().rangeDecides();
    return sure ? most() : OptionalInt.empty();
  }

  /** Returns the position behind the scan of a conjunction; empty if it is the last. */
  Optional<Position> behind(int conjunction) {
    int next = scanOf(conjunction) + together(conjunction).size();
    return next < conjunctions.size() ? Optional.of(Position.startOf(next)) : Optional.empty();
  }

  /** Returns the scans still to run, in order. */
  List<Step> steps() {
    return IntStream.range(start.conjunction(), conjunctions.size())
        .mapToObj(
            i ->
                conjunctions
                    .get(i)
                    .step(
                        scanOf(i) == start.conjunction() ? start : Position.startOf(i),
                        options.reversed()))
        .toList();
  }

  boolean continues() {
    return options.mostRecent().isEmpty();
  }
}
