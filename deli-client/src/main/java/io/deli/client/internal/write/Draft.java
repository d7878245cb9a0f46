package io.deli.client.internal.write;

import io.deli.client.WriteRefusedException;
import io.deli.entry.WriteId;
import io.deli.strategy.BaseVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A plan in the making. All that one operation writes has one timestamp, as a server would give it.
 */
final class Draft {
  private final Planner planner;
  private final Identities identities;
  private final PutRules rules;
  private final long begun;
  private final List<IndexedVersion> versions = new ArrayList<>(2);
  private final List<Victims> victims = new ArrayList<>(0);
  private boolean conditional;
  private boolean atomic;
  private Optional<Draw> draw;
  private boolean stamped;

  /**
   * @param draw the timestamp, if it is drawn already
   */
  Draft(Planner planner, Identities identities, PutRules rules, Optional<Draw> draw) {
    this.draw = draw;
    this.planner = planner;
    this.identities = identities;
    this.rules = rules;
    this.begun = identities.ticks();
  }

  Plan plan(Row operation) throws WriteRefusedException {
    Row base = row(operation);
    return new Plan(operation, base, versions, victims, begun, draw, planner.known());
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
    CheckAndMutate.Builder copy = Conditions.copy(condition);
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

  private Put put(Put put) throws WriteRefusedException {
    rules.check(put);
    stamped = false;
    Put copy = Stamps.stamped(put, () -> timestamp(put));
    mark(copy);
    WriteId id = null;
    for (Target target : planner.targets()) {
      for (Cell cell : target.family(copy)) {
        if (target.isColumnOf(cell)) {
          id = id == null ? identity(put) : id;
          BaseVersion version =
              new BaseVersion(put.getRow(), CellUtil.cloneValue(cell), cell.getTimestamp(), id);
          versions.add(IndexedVersion.of(target.index(), version, put));
          if (stamped && cell.getTimestamp() == draw.get().timestamp()) {
            Victims.of(put, cell.getTimestamp(), target).ifPresent(victims::add);
          }
        }
      }
    }
    if (planner.areServed()) {
      // A region server cannot tell who gave the timestamp that it sees.
      copy.setAttribute(WriteId.ATTRIBUTE, (id == null ? identity(put) : id).toBytes());
    } else if (id != null && !id.isNone()) {
      copy.setAttribute(WriteId.ATTRIBUTE, id.toBytes());
    }
    return copy;
  }

  /** A timestamp drawn here names the write; one from the application may come again. */
  private WriteId identity(Put put) {
    if (planner.areServed() && put.getFamilyCellMap().values().stream().anyMatch(Draft::isGiven)) {
      return identities.fresh();
    }
    for (Target target : planner.targets()) {
      for (Cell cell : target.family(put)) {
        if (conditional || (target.isColumnOf(cell) && !Stamps.isMissing(cell))) {
          return identities.fresh();
        }
      }
    }
    return WriteId.NONE;
  }

  private static boolean isGiven(List<Cell> cells) {
    return !cells.stream().allMatch(Stamps::isMissing);
  }

  private Delete delete(Delete delete) {
    stamped = false;
    Delete copy = Stamps.stamped(delete, () -> timestamp(delete));
    mark(copy);
    for (Target target : planner.targets()) {
      victims.addAll(Victims.of(copy, target));
    }
    return copy;
  }

  private void refuseIndexed(Mutation mutation) throws WriteRefusedException {
    for (Target target : planner.targets()) {
      if (target.family(mutation).stream().anyMatch(target::isColumnOf)) {
        throw new WriteRefusedException(
            "table %s, row '%s': %s on column %s, which index '%s' covers; read the value and put the new one by checkAndMutate"
                .formatted(
                    planner.table(),
                    Bytes.toStringBinary(mutation.getRow()),
                    mutation.getClass().getSimpleName(),
                    target.index().column(),
                    target.index().name()));
      }
    }
  }

  private long timestamp(Mutation mutation) {
    stamped = true;
    if (draw.isEmpty()) {
      draw = Optional.of(Draw.of(identities, mutation.getRow()));
    }
    return draw.get().timestamp();
  }

  private void mark(Mutation copy) {
    if (stamped) {
      draw.get().setOn(copy, atomic);
    }
  }
}
