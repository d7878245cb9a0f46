package io.deli.simulation;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;

/**
 * A store that DELI's rules can work on: it keeps versions and delete markers, which lie beside one
 * another until a rewrite has said which of them die. {@link ModelStore} makes a column family of
 * it.
 *
 * <p>A read of one row is a short scan, so there is no other. A store need not hide, count or
 * expire versions, and must not: a version that goes without {@link #drop} leaves its entry behind.
 * Neither need it say how its files lie: a rewrite covers the cells of a range of sequence numbers.
 */
interface LogStructuredStore extends AutoCloseable {
  /** By row, column, timestamp and type as HBase's, then by sequence number, newest first. */
  CellComparator ORDER = CellComparator.getInstance();

  /**
   * Writes cells, all or none, and durably. Each has a sequence number greater than all before, so
   * that no cell replaces one with equal coordinates.
   */
  void put(List<Cell> cells);

  /** The greatest sequence number of what was ever written. */
  long sequence();

  /**
   * All cells of some rows, in order, with tags and sequence numbers.
   *
   * @param start first row
   * @param stop row behind the last; empty if there is none
   */
  List<Cell> scan(byte[] start, byte[] stop);

  /** The sequence number that a cell got when it was written. */
  @SuppressWarnings("deprecation") // nothing else tells it of every kind of cell
  static long sequence(Cell cell) {
    return cell.getSequenceId();
  }

  /** Writes what is in memory to a file; drops nothing. */
  void flush();

  /**
   * Drops cells, all or none, and merges files so that nothing is left of them. The caller has seen
   * them, and has it acknowledged that their entries are gone.
   */
  void drop(List<Cell> dead);

  /** The store's process ends without notice, and another one opens the store. */
  void crash();

  @Override
  void close();
}
