package io.deli.coprocessor.internal.postinglist;

import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;

/** Cells of a row that lie side by side, and what is written that falls into their range. */
record MergeRun(NavigableSet<Cell> there, NavigableSet<Cell> added) {
  MergeRun() {
    this(sorted(), sorted());
  }

  static NavigableSet<Cell> sorted() {
    return new TreeSet<>(CellComparator.getInstance());
  }

  NavigableSet<Cell> all() {
    NavigableSet<Cell> all = sorted();
    all.addAll(there);
    all.addAll(added);
    return all;
  }

  /**
   * Bytes of each cell if all are shared out evenly among as few as there must be, as in a B-tree:
   * were each filled to the brim, each later write into a full one would split off a tiny one.
   */
  int cellBytes(int most) {
    int total = there.stream().mapToInt(Cell::getValueLength).sum();
    total += added.stream().mapToInt(Cell::getQualifierLength).sum();
    int cells = (total + most - 1) / most;
    int largest = added.stream().mapToInt(Cell::getQualifierLength).max().orElse(0);
    return cells <= 1 ? most : total / cells + largest;
  }
}
