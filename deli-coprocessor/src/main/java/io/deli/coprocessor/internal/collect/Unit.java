package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.scan.RowPiece;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;

/**
 * A unit of collection, dropped together or not at all: a piece of a row and the deletes of its
 * dying versions. Of these there may be any number, so they are made as they are asked for, and may
 * be in several windows. Not thread-safe.
 */
final class Unit {
  /** Decides what becomes of the pieces of rows that a rewrite reads, in order. Not thread-safe. */
  interface Source {
    Unit unit(RowPiece piece);
  }

  private final RowPiece piece;
  private final int dying;
  private final Iterator<Map.Entry<TableName, Cell>> deletes;
  private int owed;
  private boolean refused;

  /**
   * @param dying cells of indexed columns that HBase would drop
   * @param deletes of their entries; throws what a tokenizer may throw
   */
  Unit(RowPiece piece, int dying, Iterator<Map.Entry<TableName, Cell>> deletes) {
    this.piece = piece;
    this.dying = dying;
    this.deletes = deletes;
  }

  /** A unit that needs no deletes. */
  static Unit free(RowPiece piece) {
    return new Unit(piece, 0, Collections.emptyIterator());
  }

  RowPiece piece() {
    return piece;
  }

  int dying() {
    return dying;
  }

  /** The deletes that were not taken so far. */
  Iterator<Map.Entry<TableName, Cell>> deletes() {
    return deletes;
  }

  /** It waits for one more delete to be acknowledged. */
  void owe() {
    owed++;
  }

  /** A delete that it waits for is acknowledged. */
  void settle() {
    owed--;
  }

  /** Makes it stay, whatever is acknowledged. */
  void refuse() {
    refused = true;
  }

  boolean isRefused() {
    return refused;
  }

  /**
   * Appends the cells to write: all of them if any must stay, as while it waits for a delete, since
   * delete markers must not go before what they mask.
   *
   * @param writtenBack is told if so
   */
  void emit(List<Cell> out, Consumer<Unit> writtenBack) {
    if (refused || owed > 0) {
      piece.emitAll(out);
      writtenBack.accept(this);
    } else {
      piece.emitKept(out);
    }
  }
}
