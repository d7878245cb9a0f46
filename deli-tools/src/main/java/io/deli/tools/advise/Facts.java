package io.deli.tools.advise;

import io.deli.strategy.Workload;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The facts that advice rests on: the table, its column, and the work on it. */
public record Facts(Table table, ColumnFacts column, Wants wants) {
  /**
   * A table as its region servers describe it.
   *
   * @param rows of the table
   * @param counted whether these were counted, not estimated
   * @param rowBytes of an average row, in the column's family
   * @param servers that have regions of it
   * @param files of one region and family: the papers' levels
   * @param blockBytes of a data block of the column's family
   * @param versions that the column's family keeps
   * @param reads rows read since the regions were opened, by gets and scans alike
   * @param writes mutations since the regions were opened
   */
  public record Table(
      long rows,
      boolean counted,
      double rowBytes,
      int regions,
      int servers,
      double files,
      int blockBytes,
      int versions,
      long reads,
      long writes) {}

  /**
   * Facts of the work on a table that only its users know, or know better than the servers'
   * counters.
   *
   * @param limit how many of the most recent hits a typical query wants; empty if all
   * @param lookups share of the reads that ask for a value instead of a row
   * @param writes share of the operations that write, instead of what was counted
   * @param updates share of the writes that replace or delete a value, instead of what was seen
   * @param range whether ranges of values are asked for
   * @param space whether there is no room for an index table
   * @param versions whether values that were replaced are asked for
   */
  public record Wants(
      OptionalLong limit,
      OptionalDouble lookups,
      OptionalDouble writes,
      OptionalDouble updates,
      boolean range,
      boolean space,
      boolean versions) {
    /** Facts of a user who tells nothing. */
    public static final Wants UNTOLD =
        new Wants(
            OptionalLong.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            false,
            false,
            false);
  }

  /** Rows that have a value. */
  public double indexedRows() {
    return Math.max(1, table.rows() * column.share());
  }

  /** Distinct values in the table, about. */
  public double distinct() {
    return column.distinctIn(indexedRows());
  }

  /** Rows that a lookup of one value finds, on average. */
  public double rowsPerValue() {
    return indexedRows() / distinct();
  }

  /** Hits that a lookup of one value returns, on average. */
  public double hits() {
    return Math.min(rowsPerValue(), (double) wants.limit().orElse(Long.MAX_VALUE));
  }

  /** Data blocks of the column's family. */
  public double blocks() {
    return Math.max(1, table.rows() * table.rowBytes() / table.blockBytes());
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

  /** The facts by which strategies estimate their costs. */
  public Workload workload() {
    return new Workload(
        indexedRows(),
        distinct(),
        hits(),
        updates().orElse(0),
        column.keyBytes(),
        column.valueBytes(),
        wants.limit().isPresent(),
        column.boundsShare(),
        blocks(),
        table.blockBytes(),
        table.rowBytes(),
        Math.max(1, table.files()),
        table.regions(),
        table.servers());
  }
}
