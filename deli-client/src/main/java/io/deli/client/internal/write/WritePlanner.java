package io.deli.client.internal.write;

import io.deli.client.WriteRefusedException;
import io.deli.client.internal.KnownIndexes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Row;

/** Plans the operations on one table. Does no I/O; thread-safe. */
final class WritePlanner {
  private static final Optional<ClientTimestamp> CHECKED =
      Optional.of(new ClientTimestamp(0, 0, 0));

  private final KnownIndexes table;
  private final List<MaintainedIndex> indexes;
  private final WriteContext context;
  private final boolean served;

  WritePlanner(KnownIndexes table, WriteContext context) {
    this.table = table;
    this.indexes = MaintainedIndex.of(table);
    this.served = table.hasServerMaintained();
    this.context = context;
  }

  /** Whether the planner uses these definitions. */
  @SuppressWarnings("ReferenceEquality") // the cache gives the same object until it reads anew
  boolean follows(KnownIndexes current) {
    return table == current;
  }

  KnownIndexes known() {
    return table;
  }

  /** Whether region servers maintain indexes, too. */
  boolean hasServerMaintained() {
    return served;
  }

  List<MaintainedIndex> indexes() {
    return indexes;
  }

  /**
   * Plans an operation.
   *
   * @throws WriteRefusedException if it would leave an index wrong
   */
  WritePlan plan(Row operation) throws WriteRefusedException {
    return isIndexed()
        ? new PlanBuilder(this, context, Optional.empty()).plan(operation)
        : new WritePlan(operation, operation, List.of(), List.of(), 0, Optional.empty(), table);
  }

  /** Plans an operation again, with a timestamp drawn for it, if it needed one. */
  WritePlan plan(Row operation, Optional<ClientTimestamp> timestamp) throws WriteRefusedException {
    return new PlanBuilder(this, context, timestamp).plan(operation);
  }

  /** Throws what {@link #plan(Row)} does; draws no timestamp. */
  void check(Row operation) throws WriteRefusedException {
    if (isIndexed()) {
      plan(operation, CHECKED);
    }
  }

  /** Plans all of them or none. */
  WriteBatch plan(List<? extends Row> operations) throws WriteRefusedException {
    List<WritePlan> plans = new ArrayList<>(operations.size());
    for (Row operation : operations) {
      plans.add(plan(operation));
    }
    return new WriteBatch(isIndexed(), false, plans, false, WriteBatch.PATIENT);
  }

  /** Whether there is an index to maintain. */
  boolean isIndexed() {
    return !indexes.isEmpty();
  }
}
