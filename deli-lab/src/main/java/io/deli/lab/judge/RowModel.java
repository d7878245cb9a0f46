package io.deli.lab.judge;

import io.deli.lab.judge.RowOperation.Outcome;
import io.deli.lab.judge.RowState.Versions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A model of an HBase row under operations, one after the other; timestamps do not occur.
 *
 * <p>Where HBase's answer depends on when it flushed, each answer that it could give is accepted:
 * so an operation leads from one state to several.
 */
final class RowModel {
  private final int versions;
  private final boolean uncovers;

  /** Values that may have been written twice, so that a delete of one version may leave another. */
  private final Set<String> doubtful = new HashSet<>();

  /**
   * @param versions that the family keeps
   * @param uncovers whether deletes of single versions occur, which bring older ones back
   */
  RowModel(int versions, boolean uncovers) {
    this.versions = uncovers ? versions : 1;
    this.uncovers = uncovers;
  }

  /** An operation will be made that may never take effect, such as one of which another was it. */
  void doubt(RowOperation operation) {
    for (Step step : operation.steps()) {
      if (uncovers && step instanceof Step.Write write) {
        doubtful.addAll(write.values().values());
      }
    }
  }

  boolean uncovers() {
    return uncovers;
  }

  /**
   * The states that the operation leads to; none if the client cannot have been told what it was.
   */
  List<RowState> after(RowState state, RowOperation operation) {
    List<RowState> states = tested(state, operation);
    if (operation.outcome() != Outcome.NOT_HELD) {
      for (Step step : operation.steps()) {
        states = all(states, each -> after(each, step));
      }
    }
    for (Map.Entry<String, Optional<String>> told : operation.seen().entrySet()) {
      states = all(states, each -> having(each, told.getKey(), told.getValue()));
    }
    return states.size() < 2 ? states : states.stream().distinct().toList();
  }

  /** The states that these lead to, of which there is mostly one. */
  private static List<RowState> all(
      List<RowState> states, Function<RowState, List<RowState>> next) {
    return states.size() == 1
        ? next.apply(states.get(0))
        : states.stream().flatMap(each -> next.apply(each).stream()).toList();
  }

  private static List<RowState> tested(RowState state, RowOperation operation) {
    if (operation.test().isEmpty()) {
      return List.of(state);
    }
    RowOperation.Test test = operation.test().get();
    List<RowState> held = having(state, test.column(), test.value());
    if (operation.outcome() == Outcome.NOT_HELD) {
      return held.isEmpty() || state.isUnknown(test.column()) ? List.of(state) : List.of();
    }
    return held;
  }

  /** The state, if the column's newest value can be this, and with what is known then. */
  private static List<RowState> having(RowState state, String column, Optional<String> value) {
    if (state.isUnknown(column)) {
      return List.of(
          state.with(column, value.map(v -> new Versions(List.of(v), true)).orElse(Versions.NONE)));
    }
    return state.newest(column).equals(value) ? List.of(state) : List.of();
  }

  private List<RowState> after(RowState state, Step step) {
    if (step instanceof Step.Write write) {
      RowState written = state;
      for (Map.Entry<String, String> each : write.values().entrySet()) {
        written = written.with(each.getKey(), each.getValue(), versions, uncovers);
      }
      return List.of(written);
    } else if (step instanceof Step.Computation computation) {
      String column = computation.column();
      return List.of(
          state.isUnknown(column)
              ? state
              : state.with(column, computation.computed(state.newest(column)), versions, uncovers));
    }
    return removed(state, (Step.Removal) step);
  }

  private List<RowState> removed(RowState state, Step.Removal removal) {
    List<RowState> states = List.of(state);
    for (String column : state.columns()) {
      if (removal.concerns(column)) {
        states = all(states, each -> removed(each, column, removal));
      }
    }
    return states;
  }

  private List<RowState> removed(RowState state, String column, Step.Removal removal) {
    Versions before = state.column(column);
    List<String> known = before.known();
    return switch (removal.scope()) {
      case ALL -> List.of(state.with(column, Versions.NONE));
      case LATEST ->
          known.isEmpty() ? List.of(state) : List.of(state.with(column, without(before, 0)));
      default -> withoutOne(state, column, removal);
    };
  }

  private List<RowState> withoutOne(RowState state, String column, Step.Removal removal) {
    Versions before = state.column(column);
    List<String> known = before.known();
    List<RowState> states = new ArrayList<>();
    boolean certain = false;
    for (int i = 0; i < known.size(); i++) {
      if (removal.isOf(known.get(i))) {
        states.add(state.with(column, without(before, i)));
        certain |= !doubtful.contains(known.get(i));
      }
    }
    if (!certain) {
      states.add(state);
    }
    return states;
  }

  private static Versions without(Versions versions, int index) {
    List<String> left = new ArrayList<>(versions.known());
    left.remove(index);
    return new Versions(List.copyOf(left), versions.more());
  }
}
