package io.deli.lab.judge;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns that an operation depends on, and those that it changes. Immutable.
 *
 * @param observed that decide whether it can take effect, or what it makes of the row
 * @param written that it gives new contents
 * @param everything whether it changes all columns
 */
record Footprint(Set<String> observed, Set<String> written, boolean everything) {
  static Footprint of(RowOperation operation) {
    Set<String> observed = new HashSet<>(operation.seen().keySet());
    operation.test().ifPresent(test -> observed.add(test.column()));
    Set<String> written = new HashSet<>();
    boolean everything = false;
    for (Step step : operation.isRead() ? List.<Step>of() : operation.steps()) {
      written.addAll(step.written());
      if (step instanceof Step.Computation computation) {
        observed.add(computation.column());
      }
      everything |= step instanceof Step.Removal removal && removal.columns().isEmpty();
    }
    return new Footprint(observed, written, everything);
  }

  private boolean writes(Set<String> columns) {
    return everything ? !columns.isEmpty() : !Collections.disjoint(written, columns);
  }

  /** Whether nothing is left of another's changes once this has taken effect. */
  private boolean buries(Footprint other) {
    return everything || (!other.everything && written.containsAll(other.written));
  }

  /** Whether the order of this and another may make a difference. */
  boolean meets(Footprint other) {
    return (everything && other.everything)
        || writes(other.observed)
        || writes(other.written)
        || other.writes(observed)
        || other.writes(written);
  }

  /**
   * Whether it makes a difference that this takes effect just before another, and not just after it
   * or not at all.
   *
   * @param uncovers whether deletes of single versions bring older ones back
   */
  boolean matters(Footprint next, boolean uncovers) {
    return writes(next.observed) || (meets(next) && (uncovers || !next.buries(this)));
  }
}
