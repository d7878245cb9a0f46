package io.deli.strategy;

/** What region servers keep of the blocks of a base table's files, for lookups to read fewer. */
public enum FileIndexing {
  /** Nothing. */
  NONE,

  /** A filter and bounds of the tokens of each block. */
  FILTERS,

  /** Sorted postings, from each token to its blocks. */
  POSTINGS
}
