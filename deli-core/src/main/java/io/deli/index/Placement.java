package io.deli.index;

/** Where the entries of an index live. */
public enum Placement {
  /** In an index table of its own, partitioned by token. */
  GLOBAL
}
