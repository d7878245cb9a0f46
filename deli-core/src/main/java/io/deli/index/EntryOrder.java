package io.deli.index;

/**
 * The order of the entries of one token in the index table, unless the strategy keeps posting
 * lists.
 */
public enum EntryOrder {
  /** Ordered by base row key. */
  BY_KEY,
  /** Newest first, then by base row key: the K most recent matches are the first K entries. */
  BY_TIME
}
