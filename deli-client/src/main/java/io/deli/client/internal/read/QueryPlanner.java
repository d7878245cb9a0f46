package io.deli.client.internal.read;

import io.deli.client.IndexUnavailableException;
import io.deli.client.ValueQuery;
import io.deli.client.internal.KnownIndexes;
import io.deli.index.InvalidIndexException;
import io.deli.query.Condition.OnIndex;
import io.deli.query.ValuePredicate.Leading;
import io.deli.strategy.Index;
import io.deli.strategy.Lookup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Turns a query into a plan, or refuses it; no I/O. */
final class QueryPlanner {
  private QueryPlanner() {}

  /**
   * Plans a query.
   *
   * @param now when the query begins, against which the family's time to live is judged
   * @throws IndexUnavailableException if an index does not exist or cannot be read now
   * @throws IllegalArgumentException if the query cannot be answered right
   */
  static QueryPlan plan(KnownIndexes table, ValueQuery query, long now)
      throws IndexUnavailableException {
    List<Conjunction> conjunctions = new ArrayList<>();
    for (List<OnIndex> conditions : query.condition().disjuncts()) {
      conjunctions.add(conjunction(table, conditions, query.options()));
    }
    // Those that scan the base table are scanned together, behind what is cheaper.
    conjunctions.sort(Comparator.comparing(Conjunction::scansBase));
    QueryRules.check(table.descriptor(), conjunctions, query.options(), now);
    List<Conjunction> all = List.copyOf(conjunctions);
    Fingerprint fingerprint = new Fingerprint(table.base(), all, query.options());
    Position start =
        query
            .options()
            .from()
            .map(continuation -> Continuations.read(continuation, fingerprint, all))
            .orElseGet(() -> Position.startOf(0));
    return new QueryPlan(table.base(), all, query.options(), fingerprint, start, start, now);
  }

  private static Conjunction conjunction(
      KnownIndexes table, List<OnIndex> conditions, ValueQuery.Options options)
      throws IndexUnavailableException {
    List<IndexCondition> tests = new ArrayList<>();
    List<Lookup> lookups = new ArrayList<>();
    List<OnIndex> stated = new ArrayList<>(0);
    for (OnIndex condition : conditions) {
      if (condition.isOfColumn()) {
        stated.add(condition);
      } else {
        Index index = table.forReading(condition.index(), options.scanAllowed());
        IndexCondition test = new IndexCondition(index, condition.predicate());
        tests.add(test);
        lookups.add(lookup(test));
      }
    }
    QueryRules.checkPartial(tests, stated);
    Conjunction all =
        new Conjunction(tests.get(0), lookups.get(0), List.copyOf(tests.subList(1, tests.size())));
    return all.scansBase() ? all.between(options.rows()) : all;
  }

  /**
   * Makes the lookup of a condition, also if it is not scanned: the lookup refuses what the index
   * cannot answer.
   */
  static Lookup lookup(IndexCondition test) {
    Index index = test.index();
    try {
      if (test.predicate() instanceof Leading leading && !index.key().areJoined()) {
        leading.range();
      }
      return index.strategy().lookup(index, test.predicate());
    } catch (IllegalArgumentException e) {
      throw new InvalidIndexException("index '%s': %s".formatted(index.name(), e.getMessage()), e);
    }
  }
}
