package io.deli.tools.judge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the columns of a row may have contained at each moment, by the calls and returns of the
 * writes alone: more than they can have contained, never less.
 *
 * <p>A write may be the last at a moment if it had begun by then, and no write that began after its
 * return, and was acknowledged, had returned. A write that failed may be the last at any later
 * moment.
 */
final class RowContents {
  /** Contents of several columns that cannot be told from each other are not counted up further. */
  private static final int MOST = 512;

  /**
   * A write to a column.
   *
   * @param values of all columns that it writes; a column that is left out here, but not in the
   *     writes, may have any value afterwards
   * @param until when it had certainly been overwritten
   */
  private record Change(
      RowOperation operation, Map<String, Optional<String>> values, long begun, long until) {
    boolean mayBeLastAt(long moment) {
      return begun <= moment && moment <= until;
    }
  }

  /** By column, in the order of their begin. */
  private final Map<String, List<Change>> changes = new HashMap<>();

  /** By column: of each change and those before, when the last of them had been overwritten. */
  private final Map<String, long[]> until = new HashMap<>();

  /**
   * @param operations on one row, all of them
   * @param columns that will be asked for
   */
  RowContents(Collection<RowOperation> operations, Set<String> columns) {
    for (String column : columns) {
      List<RowOperation> writes =
          operations.stream()
              .filter(operation -> !operation.isRead() && isOn(operation, column))
              .sorted(Comparator.comparingLong(operation -> operation.span().begun()))
              .toList();
      List<Change> all = changes(writes, columns);
      changes.put(column, all);
      long[] latest = new long[all.size()];
      for (int i = 0; i < latest.length; i++) {
        latest[i] = Math.max(i == 0 ? Long.MIN_VALUE : latest[i - 1], all.get(i).until());
      }
      until.put(column, latest);
    }
  }

  private static boolean isOn(RowOperation operation, String column) {
    Footprint footprint = Footprint.of(operation);
    return footprint.everything() || footprint.written().contains(column);
  }

  private static List<Change> changes(List<RowOperation> writes, Set<String> columns) {
    // From the last to the first: the first return among those that begin later.
    long[] firstReturn = new long[writes.size() + 1];
    firstReturn[writes.size()] = Span.NEVER;
    for (int i = writes.size() - 1; i >= 0; i--) {
      RowOperation write = writes.get(i);
      long ended = write.optional() ? Span.NEVER : write.span().ended();
      firstReturn[i] = Math.min(firstReturn[i + 1], ended);
    }
    List<Change> all = new ArrayList<>();
    Map<String, Optional<String>> nothing = new HashMap<>();
    columns.forEach(each -> nothing.put(each, Optional.empty()));
    RowOperation origin = RowOperation.get("", new Span(Long.MIN_VALUE, Long.MIN_VALUE), nothing);
    all.add(new Change(origin, nothing, Long.MIN_VALUE, firstReturn[0]));
    for (RowOperation write : writes) {
      int later = after(writes, write.span().ended());
      all.add(new Change(write, values(write, columns), write.span().begun(), firstReturn[later]));
    }
    return all;
  }

  /** The first that begins after a moment. */
  private static int after(List<RowOperation> writes, long moment) {
    int low = 0;
    int high = writes.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (writes.get(middle).span().begun() > moment) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
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
        for (long moment : new long[] {change.begun(), change.until() + 1}) {
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
          (column, some) ->
              last.put(
                  column, some.stream().filter(change -> change.mayBeLastAt(moment)).toList()));
      all.add(contents(last));
    }
    return all;
  }

  /** The writes that may be the last at some moment of a span. */
  List<RowOperation> writes(Span span, Set<String> columns) {
    Set<RowOperation> writes = new LinkedHashSet<>();
    for (String column : columns) {
      candidates(column, span).stream()
          .filter(change -> change.begun() != Long.MIN_VALUE)
          .forEach(change -> writes.add(change.operation()));
    }
    return List.copyOf(writes);
  }

  private List<Change> candidates(String column, Span span) {
    List<Change> all = changes.get(column);
    long[] latest = until.get(column);
    List<Change> some = new ArrayList<>();
    int low = 0;
    int high = all.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (all.get(middle).begun() > span.ended()) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    for (int i = low - 1; i >= 0 && latest[i] >= span.begun(); i--) {
      if (all.get(i).until() >= span.begun()) {
        some.add(all.get(i));
      }
    }
    return some;
  }

  private static List<Map<String, Optional<String>>> contents(Map<String, List<Change>> last) {
    boolean together =
        last.values().stream()
            .flatMap(List::stream)
            .allMatch(change -> change.values().keySet().containsAll(last.keySet()));
    Set<Map<String, Optional<String>>> contents = new LinkedHashSet<>();
    if (together) {
      last.values().stream()
          .flatMap(List::stream)
          .forEach(change -> contents.add(restricted(change.values(), last.keySet())));
      return List.copyOf(contents);
    }
    contents.add(Map.of());
    for (Map.Entry<String, List<Change>> column : last.entrySet()) {
      Set<Map<String, Optional<String>>> longer = new LinkedHashSet<>();
      for (Map<String, Optional<String>> each : contents) {
        for (Change change : column.getValue()) {
          Map<String, Optional<String>> one = new HashMap<>(each);
          Optional<String> value = change.values().get(column.getKey());
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
    Map<String, Optional<String>> some = new HashMap<>(values);
    some.keySet().retainAll(columns);
    return some;
  }
}
