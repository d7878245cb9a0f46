package io.deli.lab.judge;

import io.deli.lab.judge.Configuration.Frontier;
import io.deli.lab.judge.Step.Scope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The search of a {@link LinearizabilityChecker} on one row, fed with calls and returns in the
 * order of time. An operation is called with what it was told, which prunes: it can take effect
 * only where it would be told that.
 *
 * <p>An operation that leaves the state as it is, such as a Get, is given to every configuration as
 * soon as it fits: it takes nothing away, so no order is lost.
 */
final class RowSearch {
  /** Beyond so many at one return, the row is left undecided. */
  private static final int MOST = 200_000;

  private static final int TOLD = 4;

  /** Failed operations with one effect, of which no one can tell one from the other. */
  private record Kind(RowOperation operation, Footprint footprint, List<RowOperation> members) {
    boolean isInFlight() {
      return !members.isEmpty();
    }
  }

  private final RowModel model;

  /** The operations in flight by slot; a slot that is free has none. */
  private final List<RowOperation> pending = new ArrayList<>();

  private final List<Footprint> footprints = new ArrayList<>();

  /** The operations in flight, by slot, that overlap with another delete of a single version. */
  private final BitSet excused = new BitSet();

  private final Map<List<Object>, Integer> kinds = new HashMap<>();
  private final List<Kind> failed = new ArrayList<>();
  private List<Configuration> configurations;

  /** The number of operations in flight, failed ones included; also when the row is judged. */
  private int inFlight;

  private Optional<Ruling> end = Optional.empty();

  /**
   * @param begin what the row has
   */
  RowSearch(RowModel model, RowState begin) {
    this.model = model;
    this.configurations = List.of(Configuration.of(begin));
  }

  /** Whether the row is judged: it is not looked at any more. */
  private boolean isOver() {
    return end.isPresent();
  }

  Ruling ruling() {
    return end.orElse(Ruling.CLEAN);
  }

  boolean isResting() {
    return inFlight == 0;
  }

  boolean isUndecided() {
    return isOver() && ruling().violations().isEmpty();
  }

  /** Whether it is known to have nothing. */
  boolean isEmpty() {
    return !isOver() && configurations.stream().allMatch(c -> c.state().equals(RowState.EMPTY));
  }

  void called(RowOperation operation, Footprint footprint) {
    inFlight++;
    if (operation.optional()) {
      model.doubt(operation);
    }
    if (!operation.span().hasEnd()) {
      calledAndFailed(operation, footprint);
    } else if (!isOver()) {
      calledAndReturns(operation, footprint);
    }
  }

  private void calledAndFailed(RowOperation operation, Footprint footprint) {
    List<Object> kind = List.of(operation.test(), operation.steps());
    int index = kinds.computeIfAbsent(kind, k -> failed.size());
    if (index == failed.size()) {
      failed.add(new Kind(operation, footprint, new ArrayList<>()));
    }
    failed.get(index).members().add(operation);
    if (operation.takesOne()) {
      excuseOthers(operation);
    }
  }

  private void calledAndReturns(RowOperation operation, Footprint footprint) {
    int slot = pending.indexOf(null);
    if (slot < 0) {
      slot = pending.size();
      pending.add(null);
      footprints.add(null);
    }
    footprints.set(slot, footprint);
    excuse(slot, operation);
    pending.set(slot, operation);
    if (operation.isRead()) {
      List<Configuration> read = new ArrayList<>(configurations.size());
      configurations.forEach(each -> read.add(withReads(each)));
      configurations = read;
    }
  }

  /** Lets deletes of the latest version take none if others go on meanwhile that take one. */
  private void excuse(int slot, RowOperation operation) {
    excused.clear(slot);
    if (operation.takesOne()) {
      boolean among = failed.stream().anyMatch(k -> k.operation().takesOne() && k.isInFlight());
      excused.set(slot, excuseOthers(operation) || among);
    }
  }

  /** Of two deletes of the latest version, the later one is excused. */
  private boolean excuseOthers(RowOperation operation) {
    boolean any = false;
    for (int other = 0; other < pending.size(); other++) {
      RowOperation each = pending.get(other);
      if (each != null && each.takesOne()) {
        any = true;
        excused.set(other, excused.get(other) || !operation.removes(Scope.LATEST));
      }
    }
    return any;
  }

  void returned(RowOperation operation) {
    inFlight--;
    if (isOver()) {
      return;
    }
    int slot = pending.indexOf(operation);
    Frontier next = required(slot, operation);
    if (isOver()) {
      return;
    }
    if (operation.optional() || (excused.get(slot) && operation.removes(Scope.LATEST))) {
      configurations.forEach(each -> next.add(each.without(slot)));
    }
    List<Configuration> before = configurations;
    configurations = next.list();
    if (configurations.isEmpty()) {
      end = Optional.of(new Ruling(List.of(counterexample(operation, before)), List.of()));
    }
    pending.set(slot, null);
  }

  /**
   * Failed operations that had begun before a moment have taken effect by now, or never will.
   *
   * @return whether none is left that failed
   */
  boolean settled(long begunBefore) {
    int[] due = new int[failed.size()];
    for (int kind = 0; kind < due.length; kind++) {
      List<RowOperation> members = failed.get(kind).members();
      due[kind] = (int) members.stream().filter(m -> m.span().begun() < begunBefore).count();
      inFlight -= due[kind];
    }
    if (Arrays.stream(due).sum() > 0 && !isOver()) {
      settle(due);
    }
    for (int kind = 0; kind < due.length; kind++) {
      failed.get(kind).members().subList(0, due[kind]).clear();
    }
    boolean none = failed.stream().noneMatch(Kind::isInFlight);
    if (none) {
      failed.clear();
      kinds.clear();
    }
    return none;
  }

  /** Has what is in flight take effect or not, in every order, and forgets what of it is due. */
  private void settle(int[] due) {
    boolean[] relevant = new boolean[failed.size()];
    Arrays.fill(relevant, true);
    Frontier all = new Frontier();
    Deque<Configuration> open = new ArrayDeque<>(configurations);
    configurations.forEach(all::add);
    while (!open.isEmpty()) {
      for (Configuration to : continued(open.remove(), relevant)) {
        if (all.add(to)) {
          open.add(to);
        }
      }
      if (all.size() > MOST) {
        leave(failed.get(0).operation(), "too many orders when failed operations settled");
        return;
      }
    }
    Frontier settled = new Frontier();
    all.list().forEach(each -> settled.add(each.settled(due)));
    configurations = settled.list();
  }

  /** Continues each configuration until it has the operation that returns. */
  private Frontier required(int slot, RowOperation operation) {
    Frontier next = new Frontier();
    Frontier seen = new Frontier();
    Deque<Configuration> open = new ArrayDeque<>();
    for (Configuration each : configurations) {
      if (each.has(slot)) {
        next.add(each.without(slot));
      } else if (seen.add(each)) {
        open.add(each);
      }
    }
    if (open.isEmpty()) {
      return next;
    }
    boolean[] relevant = relevant();
    while (!open.isEmpty()) {
      Configuration from = open.remove();
      for (Configuration to : continued(from, relevant)) {
        if (to.has(slot)) {
          next.add(to.without(slot));
        } else if (seen.add(to)) {
          open.add(to);
        }
      }
      if (seen.size() + next.size() > MOST) {
        leave(operation, "too many orders");
        return next;
      }
    }
    return next;
  }

  /** By one operation each, and by all reads that fit then. */
  private List<Configuration> continued(Configuration from, boolean[] relevant) {
    List<Configuration> all = new ArrayList<>();
    for (int slot = 0; slot < pending.size(); slot++) {
      RowOperation operation = pending.get(slot);
      if (operation != null && !from.has(slot) && mattersTo(from, footprints.get(slot))) {
        for (RowState state : model.after(from.state(), operation)) {
          all.add(withReads(from.with(slot, state, operation)));
        }
      }
    }
    for (int kind = 0; kind < failed.size(); kind++) {
      Kind next = failed.get(kind);
      if (relevant[kind]
          && from.used(kind) < next.members().size()
          && ((kind >= from.loose() && isApart(from, kind)) || mattersTo(from, next.footprint()))) {
        for (RowState state : model.after(from.state(), next.operation())) {
          if (!state.equals(from.state())) {
            all.add(withReads(from.using(kind, state, next.operation())));
          }
        }
      }
    }
    return all;
  }

  /**
   * Whether the failed operation that came last was worth its while if another comes next.
   * Otherwise it may as well take effect later, as it never returns.
   */
  private boolean mattersTo(Configuration from, Footprint next) {
    return from.loose() == Configuration.NONE
        || failed.get(from.loose()).footprint().matters(next, model.uncovers());
  }

  /** Whether the failed operation that came last and another may as well change places. */
  private boolean isApart(Configuration from, int kind) {
    return from.loose() == Configuration.NONE
        || from.loose() == kind
        || !failed.get(from.loose()).footprint().meets(failed.get(kind).footprint());
  }

  /** The failed operations that may make a difference to one in flight, or to another of these. */
  private boolean[] relevant() {
    boolean[] relevant = new boolean[failed.size()];
    List<Footprint> touched = new ArrayList<>();
    for (int slot = 0; slot < pending.size(); slot++) {
      if (pending.get(slot) != null) {
        touched.add(footprints.get(slot));
      }
    }
    while (!touched.isEmpty()) {
      List<Footprint> further = new ArrayList<>();
      for (int kind = 0; kind < relevant.length; kind++) {
        Footprint footprint = failed.get(kind).footprint();
        if (!relevant[kind]
            && touched.stream().anyMatch(next -> footprint.matters(next, model.uncovers()))) {
          relevant[kind] = true;
          further.add(footprint);
        }
      }
      touched = further;
    }
    return relevant;
  }

  private Configuration withReads(Configuration configuration) {
    BitSet done = null;
    for (int slot = 0; slot < pending.size(); slot++) {
      RowOperation read = pending.get(slot);
      if (read != null
          && read.isRead()
          && !configuration.has(slot)
          && model.after(configuration.state(), read).equals(List.of(configuration.state()))) {
        done = done == null ? (BitSet) configuration.done().clone() : done;
        done.set(slot);
      }
    }
    return done == null
        ? configuration
        : new Configuration(
            configuration.state(),
            done,
            configuration.used(),
            Configuration.NONE,
            configuration.trail());
  }

  private void leave(RowOperation operation, String why) {
    end =
        Optional.of(
            new Ruling(
                List.of(),
                List.of("row %s: %s at %s".formatted(operation.row(), why, line(operation)))));
  }

  /** The operation that fits nowhere, what the row may have had, and what went on. */
  private String counterexample(RowOperation stuck, List<Configuration> before) {
    List<String> lines = new ArrayList<>();
    lines.add("row %s: no order of its operations explains".formatted(stuck.row()));
    lines.add("    " + line(stuck));
    lines.add("  in flight meanwhile:");
    pending.stream()
        .filter(each -> each != null && !each.equals(stuck))
        .forEach(each -> lines.add("    " + line(each)));
    for (Kind kind : failed) {
      lines.add("    failed %d x %s".formatted(kind.members().size(), line(kind.operation())));
    }
    for (Configuration each : before.subList(0, Math.min(TOLD, before.size()))) {
      lines.add("  the row may have had %s, by".formatted(each.state()));
      for (RowOperation last : each.trail()) {
        lines.add("    " + line(last));
      }
    }
    if (before.size() > TOLD) {
      lines.add("  or one of %d other states".formatted(before.size() - TOLD));
    }
    return String.join("\n", lines);
  }

  static String line(RowOperation operation) {
    return "[%d, %s] %s"
        .formatted(
            operation.span().begun(),
            operation.span().hasEnd() ? operation.span().ended() : "failed",
            operation);
  }
}
