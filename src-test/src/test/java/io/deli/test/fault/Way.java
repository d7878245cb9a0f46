package io.deli.test.fault;

/** What the client's engine asks for. */
public enum Way {
  /** Writes to an index table. */
  INDEX,
  /** Writes to the base table. */
  BASE,
  /** Reads of the base table on behalf of a write. */
  SCAN
}
