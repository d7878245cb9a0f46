package io.deli.fileindex.internal.blocks;

/** The parts of a file that may hold what is wanted; no other part does. Immutable. */
public sealed interface Matches extends Weighed permits RowList, Shortlist {
  /** All blocks of the file. */
  Blocks blocks();

  /** The number of blocks that may hold what is wanted. */
  int blockCount();

  /** Whether it is known how new versions are. */
  boolean knowsTimes();

  /** The number of rows that may, or of blocks if rows are not known. */
  int size();

  default boolean isEmpty() {
    return size() == 0;
  }

  /** The row up to which this is known, exclusive; empty if for all of the file. */
  byte[] end();

  /** Without the rows outside of a range, as far as that is known. */
  Matches within(byte[] start, byte[] end);

  /** At the beginning of the file. */
  FileCursor cursor(Wanted wanted, SearchCount count);
}
