package io.deli.lab.judge;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A part of an {@link RowOperation operation} that changes a row. */
public sealed interface Step {
  /** The columns that it gives new contents. */
  Set<String> written();

  /** Whether it gives a column new contents. */
  default boolean concerns(String column) {
    return written().contains(column);
  }

  /** Makes of a column's newest value, if it has one, another. */
  sealed interface Computation extends Step {
    String column();

    String computed(Optional<String> before);

    @Override
    default Set<String> written() {
      return Set.of(column());
    }
  }

  /** A Put: a new version of each of some columns. */
  record Write(Map<String, String> values) implements Step {
    public Write {
      values = new TreeMap<>(values);
    }

    @Override
    public Set<String> written() {
      return values.keySet();
    }

    @Override
    public String toString() {
      return "put " + values;
    }
  }

  /** The versions of a column that a Delete takes. */
  enum Scope {
    /** A delete of columns, of a family or of the row. */
    ALL,
    /** A delete of the column's latest version. */
    LATEST,
    /** A delete of one version by its timestamp: of a column, or of each column of the family. */
    MARKED
  }

  /**
   * A Delete.
   *
   * @param columns none for all of the row
   * @param mark with {@link Scope#MARKED}, the number of the write whose version is deleted: its
   *     values end in {@code #} and that number, which no other write's do
   */
  record Removal(Scope scope, Set<String> columns, String mark) implements Step {
    public Removal {
      columns = new TreeSet<>(columns);
    }

    @Override
    public Set<String> written() {
      return columns;
    }

    @Override
    public boolean concerns(String column) {
      return columns.isEmpty() || columns.contains(column);
    }

    boolean isOf(String value) {
      return value.endsWith("#" + mark);
    }

    @Override
    public String toString() {
      String what = columns.isEmpty() ? "row" : columns.toString();
      return switch (scope) {
        case ALL -> "delete " + what;
        case LATEST -> "delete latest of " + what;
        case MARKED -> "delete version #" + mark + " of " + what;
      };
    }
  }

  /** An Increment of a column that holds a number, in decimal here. */
  record Addition(String column, long amount) implements Computation {
    @Override
    public String computed(Optional<String> before) {
      return Long.toString(before.map(Long::parseLong).orElse(0L) + amount);
    }

    @Override
    public String toString() {
      return "increment " + column + " by " + amount;
    }
  }

  /** An Append. */
  record Extension(String column, String text) implements Computation {
    @Override
    public String computed(Optional<String> before) {
      return before.orElse("") + text;
    }

    @Override
    public String toString() {
      return "append '" + text + "' to " + column;
    }
  }
}
