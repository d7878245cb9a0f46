package io.deli.client.internal.write;

import io.deli.client.WriteRefusedException;
import io.deli.client.internal.TableIndexes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Row;

/** Plans the operations on one table. Does no I/O; thread-safe. */
final class Planner {
  private static final Optional<Draw> CHECKED = Optional.of(new Draw(0, 0, 0));

  private final TableIndexes table;
  private final List<Target> targets;
  private final Identities identities;
  private final PutRules rules;
  private final boolean served;

  Planner(TableIndexes table, Identities identities, PutRules rules) {
    this.table = table;
    this.targets = Target.of(table);
    this.served = table.areServed();
    this.identities = identities;
    this.rules = rules;
  }

  /** Whether these are the definitions it plans by. */
  @SuppressWarnings("ReferenceEquality") // the cache gives the same object until it reads anew
  boolean follows(TableIndexes current) {
    return table == current;
  }

  TableIndexes known() {
    return table;
  }

  TableName table() {
    return table.base();
  }

  /** Whether region servers maintain indexes, too. */
  boolean areServed() {
    return served;
  }

  List<Target> targets() {
    return targets;
  }

  /**
   * Plans one operation.
   *
   * @throws WriteRefusedException if it would leave an index wrong
   * @throws IllegalArgumentException if HBase's client refuses it
   */
  Plan plan(Row operation) throws WriteRefusedException {
    return isIndexed()
        ? new Draft(this, identities, rules, Optional.empty()).plan(operation)
        : new Plan(operation, operation, List.of(), List.of(), 0, Optional.empty(), table);
  }

  /** Plans an operation once more, with a timestamp that was drawn for it. */
  Plan plan(Row operation, Optional<Draw> draw) throws WriteRefusedException {
    return new Draft(this, identities, rules, draw).plan(operation);
  }

  /** Throws what {@link #plan(Row)} does; draws no timestamp. */
  void check(Row operation) throws WriteRefusedException {
    if (isIndexed()) {
      plan(operation, CHECKED);
    }
  }

  /** Plans all of them or none. */
  Batch plan(List<? extends Row> operations) throws WriteRefusedException {
    List<Plan> plans = new ArrayList<>(operations.size());
    for (Row operation : operations) {
      plans.add(plan(operation));
    }
    return new Batch(isIndexed(), plans);
  }

  /** Whether there is an index to maintain. */
  boolean isIndexed() {
    return !targets.isEmpty();
  }
}
