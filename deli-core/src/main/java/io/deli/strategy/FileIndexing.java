package io.deli.strategy;

/** The index that region servers keep of the blocks of a base table's files. */
public enum FileIndexing {
  /** No index. */
  NONE,

  /** A filter and bounds of the tokens of each block. */
  FILTERS,

  /** Sorted postings, from each token to its blocks. */
  POSTINGS
}
