package io.deli.lab.campaign;

import io.deli.lab.torture.ContendedRows;

/** The operations to be checked in a cell and the faults to befall, at least. */
record CellSize(long operations, int faults) {
  /** Client processes. */
  static final int CLIENTS = 3;

  /** Rows of each kind. */
  static final int HOT = 2;

  /** Rows besides. */
  static final int WIDE = 40_000;

  /** Of all rows. */
  static final int PLACES = HOT * ContendedRows.Kind.values().length + WIDE;

  /** Of read repair. */
  static final long GRACE_MILLIS = 20_000;
}
