package io.deli.index;

/** How the entries of one token are ordered in the index table, unless its strategy keeps lists. */
public enum EntryOrder {
  /** By base row key. */
  BY_KEY,
  /** Newest first, then by base row key: the K most recent matches are the first K entries. */
  BY_TIME
}
