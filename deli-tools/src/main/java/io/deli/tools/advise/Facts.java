package io.deli.tools.advise;

import java.util.OptionalDouble;

/** All that the advice rests on. */
public record Facts(TableFacts table, ColumnFacts column, Wants wants) {
  /** Rows that have a value. */
  public double indexedRows() {
    return Math.max(1, table.rows() * column.share());
  }

  /** Distinct values in the table, about. */
  public double distinct() {
    return column.distinctIn(indexedRows());
  }

  /** What a lookup of one value finds, on average. */
  public double rowsPerValue() {
    return indexedRows() / distinct();
  }

  /** What a lookup of one value returns, on average. */
  public double hits() {
    return Math.min(rowsPerValue(), (double) wants.limit().orElse(Long.MAX_VALUE));
  }

  /** Data blocks of the column's family. */
  public double blocks() {
    return Math.max(1, table.rows() * table.rowBytes() / table.blockBytes());
  }

  /** Store files that a row may be in, at least one. */
  public double files() {
    return Math.max(1, table.files());
  }

  /** Share of the operations that write; empty if none were counted. */
  public OptionalDouble writes() {
    long operations = table.reads() + table.writes();
    return wants.writes().isPresent() || operations == 0
        ? wants.writes()
        : OptionalDouble.of((double) table.writes() / operations);
  }

  /**
   * Share of the writes that replace or delete a value. That the sample shows none says nothing
   * where compactions drop them.
   */
  public OptionalDouble updates() {
    boolean shown = column.superseded() > 0 || table.versions() > 1;
    return wants.updates().isPresent() || !shown
        ? wants.updates()
        : OptionalDouble.of(column.superseded());
  }
}
