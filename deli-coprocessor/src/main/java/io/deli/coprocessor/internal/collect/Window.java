package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.send.IndexDelete;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;

/**
 * Consecutive units, or parts of one, whose deletes travel together. Filled, sealed, sent and
 * emitted, in this order. Not thread-safe.
 */
final class Window {
  /** The deletes of one unit that are in this window. */
  private static final class Part {
    private final Unit unit;
    private final List<IndexDelete> deletes = new ArrayList<>(1);
    private boolean last;

    Part(Unit unit) {
      this.unit = unit;
    }
  }

  private final List<Part> parts = new ArrayList<>();
  private final DeleteBatch batch = new DeleteBatch();
  private final List<IndexDelete> sealed = new ArrayList<>();
  private int passed;
  private int underWay;
  private long pieceBytes;
  private int cells;

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** The memory of its base cells and deletes, estimated. */
  long bytes() {
    return pieceBytes + batch.bytes();
  }

  /** Adds a delete on which the unit depends. */
  void add(Unit unit, Map.Entry<TableName, Delete> delete) {
    partOf(unit).deletes.add(batch.add(delete.getKey(), delete.getValue()));
  }

  /** Adds a unit all of whose deletes were added here or to earlier windows. */
  void end(Unit unit) {
    partOf(unit).last = true;
    pieceBytes += unit.piece().bytes();
  }

  private Part partOf(Unit unit) {
    if (parts.isEmpty() || parts.get(parts.size() - 1).unit != unit) {
      parts.add(new Part(unit));
    }
    return parts.get(parts.size() - 1);
  }

  /** Returns how many cells of index tables are to be deleted. */
  int seal() {
    sealed.addAll(batch.toList());
    cells = sealed.stream().mapToInt(IndexDelete::cells).sum();
    return cells;
  }

  /** Cells of index tables to be deleted; known when sealed. */
  int cells() {
    return cells;
  }

  /** The table to which the next request would go; null if there is nothing to send any more. */
  TableName nextTable() {
    return passed < sealed.size() ? sealed.get(passed).table() : null;
  }

  /**
   * Deletes for a request to {@link #nextTable}, in order.
   *
   * @param most so many cells, or but one delete
   */
  List<IndexDelete> next(int most) {
    int from = passed;
    TableName table = nextTable();
    for (int cells = 0; table != null && table.equals(nextTable()); passed++) {
      cells += sealed.get(passed).cells();
      if (cells > most && passed > from) {
        break;
      }
    }
    return List.copyOf(sealed.subList(from, passed));
  }

  /** Passes over deletes that are not worth sending. */
  void skip(Predicate<TableName> givenUp) {
    while (nextTable() != null && givenUp.test(nextTable())) {
      passed++;
    }
  }

  /** Has deletes of a request that ran out of time sent once more. */
  void again(List<IndexDelete> deletes) {
    sealed.addAll(deletes);
  }

  void sent() {
    underWay++;
  }

  /** A request is answered, or not waited for any more. */
  void answered() {
    underWay--;
  }

  boolean isAnswered() {
    return passed == sealed.size() && underWay == 0;
  }

  /**
   * Settles the parts of units, and appends the cells to write of those that end here.
   *
   * @param writtenBack is told of units that stay whole
   */
  void emit(List<Cell> out, Consumer<Unit> writtenBack) {
    for (Part part : parts) {
      for (IndexDelete delete : part.deletes) {
        if (!delete.isAcknowledged()) {
          part.unit.refuse();
        }
      }
      if (part.last) {
        part.unit.emit(out, writtenBack);
      }
    }
  }

  void beforeShipped() {
    for (Part part : parts) {
      if (part.last) {
        part.unit.piece().beforeShipped();
      }
    }
  }
}
