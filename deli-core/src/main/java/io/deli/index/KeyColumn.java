package io.deli.index;

import java.util.Objects;

/**
 * A column of an index, and how its values are ordered among the entries.
 *
 * @param column of the base table
 * @param type encoding of its values
 * @param descending whether greater values come first; only of an index on several columns
 */
public record KeyColumn(Column column, ValueType type, boolean descending) {
  public KeyColumn {
    Objects.requireNonNull(column, "column");
    Objects.requireNonNull(type, "type");
  }

  @Override
  public String toString() {
    return descending ? column + " descending" : column.toString();
  }
}
