package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.scan.RowPiece;
import io.deli.coprocessor.internal.send.IndexDelete;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;

/**
 * What is dropped together or not at all: a piece of a row and the deletes of its dying versions.
 *
 * @param dying cells of indexed columns that HBase would drop
 * @param deletes of their entries
 * @param refused whether it must stay whatever is acknowledged
 */
record Unit(RowPiece piece, int dying, List<IndexDelete> deletes, boolean refused) {

  /** Whether nothing needs to be waited for. */
  boolean isSettled() {
    return refused || deletes.isEmpty();
  }

  boolean mayDrop() {
    return !refused && deletes.stream().allMatch(IndexDelete::isAcknowledged);
  }

  /**
   * Appends what is to be written: all of it if anything must stay, since delete markers must not
   * go before what they mask.
   *
   * @param writtenBack is told if so
   */
  void emit(List<Cell> out, Consumer<Unit> writtenBack) {
    if (mayDrop()) {
      piece.emitKept(out);
    } else {
      piece.emitAll(out);
      writtenBack.accept(this);
    }
  }
}
