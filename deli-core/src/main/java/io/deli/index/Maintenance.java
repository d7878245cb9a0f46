package io.deli.index;

/** Who writes the entries of what is written to the base table. */
public enum Maintenance {
  /** DELI's clients. A writer that bypasses them leaves the index without its entries. */
  CLIENT,
  /** The base table's region servers, whoever writes. */
  SERVER
}
