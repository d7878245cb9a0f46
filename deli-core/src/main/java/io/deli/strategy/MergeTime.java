package io.deli.strategy;

/** The moment at which the cells in a row of an index table are merged into posting lists. */
public enum MergeTime {
  /** Never: cells stay as they are written. */
  NEVER,

  /** At each write, by the region of the index table. */
  AT_WRITE,

  /** At compactions of the index table. */
  AT_COMPACTION
}
