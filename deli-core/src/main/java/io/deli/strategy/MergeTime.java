package io.deli.strategy;

/** When the cells in one row of an index table are folded into fewer. */
public enum MergeTime {
  /** Never: what is written stays as it is. */
  NEVER,

  /** By the region of the index table, as part of the write. */
  AT_WRITE,

  /** By the compactions of the index table. */
  AT_COMPACTION
}
