package io.deli.lab.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The state of a row: the versions of each column, newest first, as far as they can matter.
 * Immutable; a value.
 *
 * <p>Versions beyond those that the family keeps may be there or not, for that depends on when
 * HBase flushes and compacts; and deletes of single versions may uncover them. Of these it is known
 * only that there may be some.
 */
final class RowState {
  static final RowState EMPTY = new RowState(new TreeMap<>());

  /** A column: its known versions, newest first, and whether there may be older ones. */
  record Versions(List<String> known, boolean more) {
    static final Versions NONE = new Versions(List.of(), false);

    boolean isUnknown() {
      return known.isEmpty() && more;
    }
  }

  private final SortedMap<String, Versions> columns;
  private final int hash;

  private RowState(SortedMap<String, Versions> columns) {
    this.columns = columns;
    this.hash = columns.hashCode();
  }

  /** A row of which nobody knows what it has in these columns. */
  static RowState unknown(Set<String> columns) {
    SortedMap<String, Versions> all = new TreeMap<>();
    columns.forEach(each -> all.put(each, new Versions(List.of(), true)));
    return new RowState(all);
  }

  Versions column(String column) {
    return columns.getOrDefault(column, Versions.NONE);
  }

  List<String> columns() {
    return List.copyOf(columns.keySet());
  }

  /** The newest value; none if there is none, or if it is not known. */
  Optional<String> newest(String column) {
    List<String> known = column(column).known();
    return known.isEmpty() ? Optional.empty() : Optional.of(known.get(0));
  }

  boolean isUnknown(String column) {
    return column(column).isUnknown();
  }

  RowState with(String column, Versions versions) {
    if (versions.equals(column(column))) {
      return this;
    }
    SortedMap<String, Versions> changed = new TreeMap<>(columns);
    if (versions.equals(Versions.NONE)) {
      changed.remove(column);
    } else {
      changed.put(column, versions);
    }
    return new RowState(changed);
  }

  /** With a new version, of which so many are kept for certain. */
  RowState with(String column, String value, int kept, boolean uncovers) {
    Versions before = column(column);
    boolean surplus = before.known().size() >= kept;
    List<String> known = new ArrayList<>(before.known().size() + 1);
    known.add(value);
    known.addAll(surplus ? before.known().subList(0, kept - 1) : before.known());
    return with(column, new Versions(List.copyOf(known), uncovers && (surplus || before.more())));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowState state && hash == state.hash && columns.equals(state.columns);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  static String text(Map<String, Optional<String>> values) {
    return values.entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue().map(v -> "'" + v + "'").orElse("none"))
        .collect(Collectors.joining(" "));
  }

  @Override
  public String toString() {
    return columns.isEmpty()
        ? "empty"
        : columns.entrySet().stream()
            .map(e -> e.getKey() + "=" + text(e.getValue()))
            .collect(Collectors.joining(" "));
  }

  private static String text(Versions versions) {
    return "'" + String.join("', '", versions.known()) + "'" + (versions.more() ? " ..." : "");
  }
}
