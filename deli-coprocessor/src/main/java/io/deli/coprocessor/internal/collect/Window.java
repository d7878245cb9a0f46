package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.scan.RowPiece;
import io.deli.coprocessor.internal.send.IndexDelete;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;

/** Consecutive units whose deletes travel together. Not thread-safe. */
final class Window {
  private final List<Unit> units = new ArrayList<>();
  private final DeleteBatch batch = new DeleteBatch();
  private List<IndexDelete> sent = List.of();
  private CompletableFuture<Void> answered = CompletableFuture.completedFuture(null);
  private long sentAt;
  private long bytes;

  DeleteBatch batch() {
    return batch;
  }

  void add(Unit unit) {
    units.add(unit);
    bytes += unit.piece().bytes();
  }

  long bytes() {
    return bytes;
  }

  List<IndexDelete> seal() {
    sent = batch.toList();
    return sent;
  }

  void flying(CompletableFuture<Void> answer, long nanoTime) {
    answered = answer;
    sentAt = nanoTime;
  }

  CompletableFuture<Void> answered() {
    return answered;
  }

  long sentAt() {
    return sentAt;
  }

  /** The deletes that were not acknowledged so far. */
  List<IndexDelete> missing() {
    return sent.stream().filter(delete -> !delete.isAcknowledged()).toList();
  }

  /**
   * Appends what is to be written.
   *
   * @param writtenBack is told of units that stay whole
   */
  void emit(List<Cell> out, Consumer<Unit> writtenBack) {
    units.forEach(unit -> unit.emit(out, writtenBack));
  }

  void beforeShipped() {
    units.stream().map(Unit::piece).forEach(RowPiece::beforeShipped);
  }
}
