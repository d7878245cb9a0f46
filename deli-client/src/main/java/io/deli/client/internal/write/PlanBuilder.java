package io.deli.client.internal.write;

import io.deli.client.WriteRefusedException;
import io.deli.client.internal.HBaseCompat;
import io.deli.entry.WriteId;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.IndexedVersion;
import io.deli.strategy.JoinedWrites;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/**
 * Builds the plan of one operation. All cells that it stamps get one timestamp, as a server would
 * give them. Used once.
 */
final class PlanBuilder {
  private final WritePlanner planner;
  private final WriteContext context;
  private final long begun;
  private final List<IndexedVersion> versions = new ArrayList<>(2);
  private final List<SupersededRange> superseded = new ArrayList<>(0);
  private boolean conditional;
  private boolean atomic;
  private Optional<ClientTimestamp> drawn;
  private boolean stamped;

  /**
   * @param drawn the timestamp to use; empty to draw one when it is needed
   */
  PlanBuilder(WritePlanner planner, WriteContext context, Optional<ClientTimestamp> drawn) {
    this.drawn = drawn;
    this.planner = planner;
    this.context = context;
    this.begun = context.ticks();
  }

  WritePlan plan(Row operation) throws WriteRefusedException {
    Row base = row(operation);
    return new WritePlan(operation, base, versions, superseded, begun, drawn, planner.known());
  }

  private Row row(Row operation) throws WriteRefusedException {
    if (operation instanceof Mutation mutation) {
      return mutation(mutation);
    }
    if (operation instanceof RowMutations mutations) {
      return mutations(mutations);
    }
    return operation instanceof CheckAndMutate condition ? conditional(condition) : operation;
  }

  private Mutation mutation(Mutation mutation) throws WriteRefusedException {
    refuseFor(index -> JoinedWrites.refusal(index, mutation));
    if (mutation instanceof Put put) {
      return put(put);
    }
    if (mutation instanceof Delete delete) {
      return delete(delete);
    }
    refuseIndexed(mutation);
    return mutation;
  }

  private RowMutations mutations(RowMutations mutations) throws WriteRefusedException {
    atomic = true;
    List<Mutation> planned = new ArrayList<>(mutations.getMutations().size());
    for (Mutation mutation : mutations.getMutations()) {
      planned.add(mutation(mutation));
    }
    try {
      return new RowMutations(mutations.getRow(), planned.size()).add(planned);
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private CheckAndMutate conditional(CheckAndMutate condition) throws WriteRefusedException {
    conditional = true;
    if (drawn.isEmpty() && concernsNone(condition.getAction())) {
      // HBase gives it at least the timestamp of what its condition reads.
      return condition;
    }
    CheckAndMutate.Builder copy = copy(condition);
    Row action = row(condition.getAction());
    if (action instanceof Put put) {
      return copy.build(put);
    }
    if (action instanceof Delete delete) {
      return copy.build(delete);
    }
    if (action instanceof RowMutations mutations) {
      return copy.build(mutations);
    }
    return condition;
  }

  private boolean concernsNone(Row action) {
    if (action instanceof RowMutations mutations) {
      return mutations.getMutations().stream().allMatch(this::concernsNone);
    }
    Mutation mutation = (Mutation) action;
    // HBase's client would send no empty Put as it is.
    return !mutation.isEmpty()
        && planner.indexes().stream().noneMatch(each -> each.isConcernedBy(mutation));
  }

  /** Copies the condition without its action. */
  private static CheckAndMutate.Builder copy(CheckAndMutate original) {
    CheckAndMutate.Builder copy =
        CheckAndMutate.newBuilder(original.getRow()).timeRange(original.getTimeRange());
    HBaseCompat.copyMetrics(original, copy);
    return original.hasFilter()
        ? copy.ifMatches(original.getFilter())
        : copy.ifMatches(
            original.getFamily(),
            original.getQualifier(),
            original.getCompareOp(),
            original.getValue());
  }

  private Put put(Put put) throws WriteRefusedException {
    stamped = false;
    Put copy = Timestamps.stamped(put, () -> timestamp(put));
    mark(copy);
    refusePartial(copy);
    WriteId id = null;
    for (MaintainedIndex maintained : planner.indexes()) {
      for (Cell cell : maintained.versions(copy)) {
        id = id == null ? identity(put) : id;
        boolean isDrawn = stamped && cell.getTimestamp() == drawn.get().timestamp();
        if (!isDrawn || !maintained.index().leavesOut(copy, cell.getTimestamp())) {
          BaseVersion version =
              new BaseVersion(put.getRow(), CellUtil.cloneValue(cell), cell.getTimestamp(), id);
          add(indexed(maintained.index(), version, put));
        }
        if (isDrawn) {
          SupersededRange.of(put, cell.getTimestamp(), maintained).ifPresent(superseded::add);
        }
      }
    }
    if (planner.hasServerMaintained()) {
      // A region server cannot tell who gave the timestamp that it sees.
      copy.setAttribute(WriteId.ATTRIBUTE, (id == null ? identity(put) : id).toBytes());
    } else if (id != null && !id.isNone()) {
      copy.setAttribute(WriteId.ATTRIBUTE, id.toBytes());
    }
    return copy;
  }

  /** Of one operation's versions with one timestamp HBase keeps the last alone. */
  @SuppressWarnings("ReferenceEquality") // all are of one set of definitions
  private void add(IndexedVersion version) {
    versions.removeIf(
        earlier ->
            earlier.index() == version.index()
                && earlier.version().timestamp() == version.version().timestamp());
    versions.add(version);
  }

  private static IndexedVersion indexed(Index index, BaseVersion version, Put put)
      throws WriteRefusedException {
    try {
      return IndexedVersion.of(index, version, put);
    } catch (InvalidIndexException e) {
      throw new WriteRefusedException(e.getMessage(), e);
    }
  }

  /** Returns no id if the timestamp is drawn here and so identifies the write by itself. */
  private WriteId identity(Put put) {
    if (planner.hasServerMaintained()
        && put.getFamilyCellMap().values().stream().anyMatch(PlanBuilder::isGiven)) {
      return context.newWriteId();
    }
    for (MaintainedIndex maintained : planner.indexes()) {
      for (Cell cell : maintained.family(put)) {
        if (conditional || (maintained.isColumnOf(cell) && !Timestamps.isMissing(cell))) {
          return context.newWriteId();
        }
      }
    }
    return WriteId.NONE;
  }

  private static boolean isGiven(List<Cell> cells) {
    return !cells.stream().allMatch(Timestamps::isMissing);
  }

  private Delete delete(Delete delete) throws WriteRefusedException {
    stamped = false;
    Delete copy = Timestamps.stamped(delete, () -> timestamp(delete));
    mark(copy);
    refusePartial(copy);
    for (MaintainedIndex maintained : planner.indexes()) {
      superseded.addAll(SupersededRange.of(copy, maintained));
    }
    return copy;
  }

  private void refuseIndexed(Mutation mutation) throws WriteRefusedException {
    for (MaintainedIndex maintained : planner.indexes()) {
      if (maintained.family(mutation).stream().anyMatch(maintained::isColumnOf)) {
        throw new WriteRefusedException(maintained.index().computedRefusal(mutation));
      }
    }
    refusePartial(mutation);
  }

  private void refusePartial(Mutation stamped) throws WriteRefusedException {
    refuseFor(index -> index.partialRefusal(stamped));
  }

  private void refuseFor(Function<Index, Optional<String>> reason) throws WriteRefusedException {
    for (MaintainedIndex maintained : planner.indexes()) {
      Optional<String> refusal = reason.apply(maintained.index());
      if (refusal.isPresent()) {
        throw new WriteRefusedException(refusal.get());
      }
    }
  }

  private long timestamp(Mutation mutation) {
    stamped = true;
    if (drawn.isEmpty()) {
      drawn = Optional.of(ClientTimestamp.of(context, mutation.getRow()));
    }
    return drawn.get().timestamp();
  }

  private void mark(Mutation copy) {
    if (stamped) {
      drawn.get().setOn(copy, atomic);
    }
  }
}
