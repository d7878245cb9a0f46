package io.deli.lab.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The values that the columns of a row may have contained at each moment, by the calls and returns
 * of the writes alone: more than they can have contained, never less.
 *
 * <p>A write may be the last at a moment if it had begun by then, and no write that began after its
 * return, and was acknowledged, had returned. A write that failed may be the last at any later
 * moment.
 */
final class RowContents {
  /** Contents of several columns that cannot be told from each other are not counted up further. */
  private static final int MOST = 512;

  static final class Change {
    private final RowOperation operation;

    /**
     * Of all columns that it writes; a column that is left out here, but not in the writes, may
     * have any value afterwards.
     */
    private final Map<String, Optional<String>> values;

    private final long begun;
    private long ended;

    /** By column, when it had certainly been overwritten. */
    private final Map<String, Long> until = new HashMap<>(2);

    private Change(RowOperation operation, Map<String, Optional<String>> values) {
      this.operation = operation;
      this.values = values;
      this.begun = operation.span().begun();
      this.ended = operation.span().ended();
    }

    Map<String, Optional<String>> values() {
      return values;
    }

    private long until(String column) {
      Long known = until.get(column);
      return known == null ? Span.NEVER : known;
    }

    private boolean mayBeLastAt(String column, long moment) {
      return begun <= moment && moment <= until(column);
    }
  }

  /** By column, in the order of their begin. */
  private final Map<String, List<Change>> changes = new HashMap<>(4);

  /** A row that has nothing in the columns that will be asked for. */
  RowContents(Set<String> columns) {
    Map<String, Optional<String>> nothing = new HashMap<>(4);
    columns.forEach(each -> nothing.put(each, Optional.empty()));
    RowOperation origin = RowOperation.get("", new Span(Long.MIN_VALUE, Long.MIN_VALUE), nothing);
    Change change = new Change(origin, nothing);
    columns.forEach(each -> changes.put(each, new ArrayList<>(List.of(change))));
  }

  private static boolean isOn(RowOperation operation, String column) {
    for (Step step : operation.steps()) {
      if (step.concerns(column)) {
        return true;
      }
    }
    return false;
  }

  /** A write begins; returns what it makes of the row. */
  Change called(RowOperation write) {
    Change change = new Change(write, values(write, changes.keySet()));
    changes.forEach(
        (column, all) -> {
          if (isOn(write, column)) {
            all.add(change);
          }
        });
    return change;
  }

  /** A write returns: if it was acknowledged, nothing is left of what had ended before it began. */
  void returned(RowOperation write) {
    if (write.optional()) {
      return;
    }
    changes.forEach(
        (column, all) -> {
          if (isOn(write, column)) {
            for (Change change : all) {
              if (change.ended < write.span().begun()) {
                change.until.putIfAbsent(column, write.span().ended());
              }
            }
          }
        });
  }

  /** Failed writes from before a calm end with it. */
  void settled(Span calm) {
    for (List<Change> all : changes.values()) {
      all.stream()
          .filter(change -> change.ended == Span.NEVER && change.begun < calm.begun())
          .forEach(change -> change.ended = calm.ended());
    }
  }

  /** Forgets the changes that had been overwritten before a moment, and returns them. */
  List<Change> forget(long before) {
    List<Change> forgotten = new ArrayList<>();
    changes.forEach(
        (column, all) ->
            all.removeIf(change -> change.until(column) < before && forgotten.add(change)));
    return forgotten;
  }

  /** Whether a column may have a value, or has had it of late. */
  boolean mayHave(String column, String value) {
    Optional<String> wanted = Optional.of(value);
    return changes.get(column).stream()
        .anyMatch(change -> wanted.equals(change.values.get(column)));
  }

  /** Whether it is known to have nothing, and nothing is in flight. */
  boolean isEmpty() {
    return changes.entrySet().stream()
        .allMatch(
            each ->
                each.getValue().size() == 1
                    && Optional.empty().equals(each.getValue().get(0).values.get(each.getKey()))
                    && each.getValue().get(0).ended != Span.NEVER);
  }

  private static Map<String, Optional<String>> values(RowOperation write, Set<String> columns) {
    Map<String, Optional<String>> values = new HashMap<>();
    for (String column : columns) {
      for (Step step : write.steps()) {
        if (step instanceof Step.Write put && put.values().containsKey(column)) {
          values.put(column, Optional.of(put.values().get(column)));
        } else if (step instanceof Step.Removal removal && removal.concerns(column)) {
          if (removal.scope() == Step.Scope.ALL) {
            values.put(column, Optional.empty());
          } else {
            values.remove(column);
          }
        }
      }
    }
    return values;
  }

  /**
   * For each moment of a span at which anything may have changed, what the columns may have had.
   */
  List<List<Map<String, Optional<String>>>> during(Span span, Set<String> columns) {
    Map<String, List<Change>> candidates = new HashMap<>();
    Set<Long> moments = new TreeSet<>(List.of(span.begun(), span.ended()));
    for (String column : columns) {
      List<Change> some = candidates(column, span);
      candidates.put(column, some);
      for (Change change : some) {
        for (long moment : new long[] {change.begun, change.until(column) + 1}) {
          if (span.begun() < moment && moment < span.ended()) {
            moments.add(moment);
          }
        }
      }
    }
    List<List<Map<String, Optional<String>>>> all = new ArrayList<>();
    for (long moment : moments) {
      Map<String, List<Change>> last = new HashMap<>();
      candidates.forEach(
          (column, some) -> {
            List<Change> there = new ArrayList<>(some);
            there.removeIf(change -> !change.mayBeLastAt(column, moment));
            last.put(column, there);
          });
      all.add(contents(last));
    }
    return all;
  }

  /** The writes that may be the last at some moment of a span. */
  List<RowOperation> writes(Span span, Set<String> columns) {
    Set<RowOperation> writes = new LinkedHashSet<>();
    for (String column : columns) {
      candidates(column, span).stream()
          .filter(change -> change.begun != Long.MIN_VALUE)
          .forEach(change -> writes.add(change.operation));
    }
    return List.copyOf(writes);
  }

  /** The latest first. */
  private List<Change> candidates(String column, Span span) {
    List<Change> all = changes.get(column);
    List<Change> some = new ArrayList<>();
    for (int i = all.size() - 1; i >= 0; i--) {
      if (all.get(i).begun <= span.ended() && all.get(i).until(column) >= span.begun()) {
        some.add(all.get(i));
      }
    }
    return some;
  }

  private static List<Map<String, Optional<String>>> contents(Map<String, List<Change>> last) {
    Set<Map<String, Optional<String>>> contents = new LinkedHashSet<>();
    boolean together = true;
    for (List<Change> some : last.values()) {
      for (Change change : some) {
        contents.add(restricted(change.values, last.keySet()));
        together &= change.values.keySet().containsAll(last.keySet());
      }
    }
    if (together) {
      return List.copyOf(contents);
    }
    contents.clear();
    contents.add(Map.of());
    for (Map.Entry<String, List<Change>> column : last.entrySet()) {
      Set<Map<String, Optional<String>>> longer = new LinkedHashSet<>();
      for (Map<String, Optional<String>> each : contents) {
        for (Change change : column.getValue()) {
          Map<String, Optional<String>> one = new HashMap<>(each);
          Optional<String> value = change.values.get(column.getKey());
          if (value != null) {
            one.put(column.getKey(), value);
          }
          longer.add(one);
        }
      }
      if (longer.size() > MOST) {
        return List.of(Map.of());
      }
      contents.clear();
      contents.addAll(longer);
    }
    return List.copyOf(contents);
  }

  private static Map<String, Optional<String>> restricted(
      Map<String, Optional<String>> values, Set<String> columns) {
    if (columns.containsAll(values.keySet())) {
      return values;
    }
    Map<String, Optional<String>> some = new HashMap<>(values);
    some.keySet().retainAll(columns);
    return some;
  }
}
