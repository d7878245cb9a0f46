package io.deli.index;

/** The party that writes the entries of base writes. */
public enum Maintenance {
  /** DELI's clients. A writer that bypasses them leaves the index without its entries. */
  CLIENT,
  /** The base table's region servers, whoever writes. */
  SERVER
}
