package io.deli.tools.judge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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

  private static final int NONE = -1;
  private static final int TRAIL = 8;
  private static final int TOLD = 4;

  /**
   * One way in which things may have gone.
   *
   * @param done the operations in flight that have taken effect, by slot
   * @param used how many of each kind of failed operation have
   * @param loose the kind of failed operation that came last, if nothing has shown yet that it took
   *     effect; otherwise {@link #NONE}
   * @param trail the last operations that have, the newest last
   */
  private record Configuration(
      RowState state, BitSet done, int[] used, int loose, RowOperation[] trail) {
    boolean has(int slot) {
      return done.get(slot);
    }

    Configuration without(int slot) {
      BitSet others = (BitSet) done.clone();
      others.clear(slot);
      return new Configuration(state, others, used, loose, trail);
    }

    boolean isAtMost(Configuration other) {
      for (int i = 0; i < used.length; i++) {
        if (used[i] > (i < other.used.length ? other.used[i] : 0)) {
          return false;
        }
      }
      return true;
    }
  }

  private record Place(RowState state, BitSet done, int loose) {}

  /** Failed operations with one effect, of which no one can tell one from the other. */
  private record Kind(RowOperation operation, Footprint footprint, List<RowOperation> members) {}

  /** Configurations without those that used more failed operations than needed. */
  private static final class Frontier {
    private final Map<Place, List<Configuration>> all = new HashMap<>();
    private int size;

    boolean add(Configuration added) {
      List<Configuration> there =
          all.computeIfAbsent(
              new Place(added.state(), added.done(), added.loose()), p -> new ArrayList<>(1));
      if (there.stream().anyMatch(other -> other.isAtMost(added))) {
        return false;
      }
      size -= there.size();
      there.removeIf(added::isAtMost);
      there.add(added);
      size += there.size();
      return true;
    }

    List<Configuration> list() {
      return all.values().stream().flatMap(Collection::stream).toList();
    }
  }

  private final RowModel model;

  /** The operations in flight by slot; a slot that is free has none. */
  private final List<RowOperation> pending = new ArrayList<>();

  private final List<Footprint> footprints = new ArrayList<>();
  private final IdentityHashMap<RowOperation, Integer> slots = new IdentityHashMap<>();
  private final Map<String, Integer> kinds = new TreeMap<>();
  private final List<Kind> failed = new ArrayList<>();
  private List<Configuration> configurations =
      List.of(
          new Configuration(RowState.EMPTY, new BitSet(), new int[0], NONE, new RowOperation[0]));
  private Optional<Ruling> end = Optional.empty();

  RowSearch(RowModel model) {
    this.model = model;
  }

  /** Whether the row is judged: it is not looked at any more. */
  private boolean isOver() {
    return end.isPresent();
  }

  /** What came of it. */
  Ruling ruling() {
    return end.orElse(Ruling.CLEAN);
  }

  void called(RowOperation operation) {
    if (isOver()) {
      return;
    }
    if (!operation.span().hasEnd()) {
      String kind = operation.test() + " " + operation.steps();
      int index = kinds.computeIfAbsent(kind, k -> failed.size());
      if (index == failed.size()) {
        failed.add(new Kind(operation, Footprint.of(operation), new ArrayList<>()));
      }
      failed.get(index).members().add(operation);
      return;
    }
    int slot = pending.indexOf(null);
    if (slot < 0) {
      slot = pending.size();
      pending.add(null);
      footprints.add(null);
    }
    pending.set(slot, operation);
    footprints.set(slot, Footprint.of(operation));
    slots.put(operation, slot);
    if (operation.isRead()) {
      configurations = configurations.stream().map(this::withReads).toList();
    }
  }

  void returned(RowOperation operation) {
    if (isOver()) {
      return;
    }
    int slot = slots.remove(operation);
    Frontier next = required(slot, operation);
    if (isOver()) {
      return;
    }
    if (operation.optional()) {
      configurations.forEach(each -> next.add(each.without(slot)));
    }
    List<Configuration> before = configurations;
    configurations = next.list();
    if (configurations.isEmpty()) {
      end = Optional.of(new Ruling(List.of(counterexample(operation, before)), List.of()));
    }
    pending.set(slot, null);
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
      if (seen.size + next.size > MOST) {
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
        BitSet done = (BitSet) from.done().clone();
        done.set(slot);
        for (RowState state : model.after(from.state(), operation)) {
          RowOperation[] trail = trail(from, operation);
          all.add(withReads(new Configuration(state, done, from.used(), NONE, trail)));
        }
      }
    }
    for (int kind = 0; kind < failed.size(); kind++) {
      int used = kind < from.used().length ? from.used()[kind] : 0;
      Kind next = failed.get(kind);
      if (relevant[kind]
          && used < next.members().size()
          && ((kind >= from.loose() && isApart(from, kind)) || mattersTo(from, next.footprint()))) {
        for (RowState state : model.after(from.state(), next.operation())) {
          if (!state.equals(from.state())) {
            int[] more = Arrays.copyOf(from.used(), Math.max(from.used().length, kind + 1));
            more[kind]++;
            RowOperation[] trail = trail(from, next.operation());
            all.add(withReads(new Configuration(state, from.done(), more, kind, trail)));
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
    return from.loose() == NONE
        || failed.get(from.loose()).footprint().matters(next, model.uncovers());
  }

  /** Whether the failed operation that came last and another may as well change places. */
  private boolean isApart(Configuration from, int kind) {
    return from.loose() == NONE
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
            configuration.state(), done, configuration.used(), NONE, configuration.trail());
  }

  private static RowOperation[] trail(Configuration from, RowOperation operation) {
    RowOperation[] before = from.trail();
    int kept = Math.min(before.length, TRAIL - 1);
    RowOperation[] longer = Arrays.copyOfRange(before, before.length - kept, before.length + 1);
    longer[kept] = operation;
    return longer;
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
    StringBuilder text = new StringBuilder();
    text.append("row ").append(stuck.row()).append(": no order of its operations explains\n");
    text.append("    ").append(line(stuck));
    text.append("\n  in flight meanwhile:");
    for (RowOperation each : pending) {
      if (each != null && !each.equals(stuck)) {
        text.append("\n    ").append(line(each));
      }
    }
    for (Kind kind : failed) {
      text.append("\n    failed ").append(kind.members().size()).append(" x ");
      text.append(line(kind.operation()));
    }
    for (Configuration each : before.subList(0, Math.min(TOLD, before.size()))) {
      text.append("\n  the row may have had ").append(each.state()).append(", by");
      for (RowOperation last : each.trail()) {
        text.append("\n    ").append(line(last));
      }
    }
    if (before.size() > TOLD) {
      text.append("\n  or one of ").append(before.size() - TOLD).append(" other states");
    }
    return text.toString();
  }

  static String line(RowOperation operation) {
    return "[%d, %s] %s"
        .formatted(
            operation.span().begun(),
            operation.span().hasEnd() ? operation.span().ended() : "failed",
            operation);
  }
}
