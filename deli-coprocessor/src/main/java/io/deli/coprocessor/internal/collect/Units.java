package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.scan.RowPiece;

/** Decides what becomes of the pieces of rows that a rewrite reads, in order. Not thread-safe. */
interface Units {
  /** Makes the unit of a piece. */
  Unit unit(RowPiece piece);
}
