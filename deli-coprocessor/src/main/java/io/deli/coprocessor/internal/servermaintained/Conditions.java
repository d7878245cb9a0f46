package io.deli.coprocessor.internal.servermaintained;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;

/**
 * The conditional write that each thread has begun last, and the cell that decides it. Thread-safe.
 */
final class Conditions {
  private final RegionPlace place;

  @SuppressWarnings("ThreadLocalUsage") // of this region; weak, and replaced by the next
  private final ThreadLocal<Begun> last = new ThreadLocal<>();

  private static final class Begun {
    private final WeakReference<CheckAndMutate> conditional;
    private Optional<Cell> decider;

    Begun(CheckAndMutate conditional) {
      this.conditional = new WeakReference<>(conditional);
    }
  }

  Conditions(RegionPlace place) {
    this.place = place;
  }

  /** Begins a conditional write, with its row locked. */
  void begin(CheckAndMutate conditional) {
    last.set(new Begun(conditional));
  }

  /**
   * The timestamp of the cell that decided whether to apply a Put, if it writes the same column; 0
   * if there is none. Its row is still locked.
   */
  long decidedBy(Mutation mutation) throws IOException {
    Begun begun = last.get();
    CheckAndMutate conditional = begun == null ? null : begun.conditional.get();
    if (!(mutation instanceof Put) || conditional == null || !isPartOf(mutation, conditional)) {
      return 0;
    }
    if (begun.decider == null) {
      begun.decider = place.decider(conditional);
    }
    return begun
        .decider
        .filter(cell -> mutation.has(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell)))
        .map(Cell::getTimestamp)
        .orElse(0L);
  }

  /** By identity: another write of the row may be equal, and have no condition. */
  private static boolean isPartOf(Mutation mutation, CheckAndMutate conditional) {
    return conditional.getAction() instanceof RowMutations several
        ? several.getMutations().stream().anyMatch(each -> each == mutation)
        : conditional.getAction() == mutation;
  }
}
