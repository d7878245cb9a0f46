package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.collect.DeleteBatch.Owed;
import io.deli.entry.RowSort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.ClassSize;

/**
 * Consecutive units, or parts of one, whose deletes travel together. Filled, sealed, sent and
 * emitted, in this order. Not thread-safe.
 *
 * <p>An index region applies deletes that lie close together in half the time of others, since they
 * meet in the processor's caches what leads to their places in memory. So a window holds as many as
 * it can: bare cells, of which deletes are made as they are sent.
 */
final class Window {
  private static final Comparator<Owed> BY_ROW =
      Comparator.comparing(Owed::marker, CellComparator.getInstance()::compareRows);

  /** The memory for one delete beside its cell. */
  private static final long OWED_BYTES =
      ClassSize.align(ClassSize.OBJECT + 2L * ClassSize.REFERENCE)
          + ClassSize.REFERENCE
          + RowSort.HEAP_SIZE;

  /** The deletes for one table that are to be sent yet. */
  private record Rest(TableName table, List<Owed> owed) {}

  private final List<Unit> ending = new ArrayList<>();
  private final NavigableMap<TableName, List<Owed>> byTable = new TreeMap<>();
  private final Deque<Rest> sealed = new ArrayDeque<>();
  private int underWay;
  private long bytes;
  private int cells;

  boolean isEmpty() {
    return ending.isEmpty() && byTable.isEmpty();
  }

  /** The memory of its base cells and deletes, estimated. */
  long bytes() {
    return bytes;
  }

  /** Adds a delete on which the unit depends. */
  void add(Unit unit, Map.Entry<TableName, Cell> delete) {
    unit.owe();
    byTable
        .computeIfAbsent(delete.getKey(), t -> new ArrayList<>())
        .add(new Owed(delete.getValue(), unit));
    bytes += OWED_BYTES + delete.getValue().heapSize();
    cells++;
  }

  /** Adds a unit all of whose deletes were added here or to earlier windows. */
  void end(Unit unit) {
    ending.add(unit);
    bytes += unit.piece().bytes();
  }

  /** Returns how many cells of index tables are to be deleted. */
  int seal() {
    byTable.forEach(
        (table, owed) -> {
          RowSort.sort(owed, Owed::marker, BY_ROW);
          again(table, owed);
        });
    byTable.clear();
    return cells;
  }

  /** Cells of index tables to be deleted. */
  int cells() {
    return cells;
  }

  /** The table to which the next request would go; null if there is nothing to send any more. */
  TableName nextTable() {
    return sealed.isEmpty() ? null : sealed.peek().table();
  }

  /**
   * Deletes for a request to {@link #nextTable}, in order.
   *
   * @param most so many cells
   */
  DeleteBatch next(int most) {
    Rest rest = sealed.remove();
    int size = Math.min(most, rest.owed().size());
    if (size < rest.owed().size()) {
      sealed.push(new Rest(rest.table(), rest.owed().subList(size, rest.owed().size())));
    }
    return DeleteBatch.of(rest.table(), rest.owed().subList(0, size));
  }

  /** Passes over deletes that are not worth sending. */
  void skip(Predicate<TableName> givenUp) {
    while (!sealed.isEmpty() && givenUp.test(nextTable())) {
      sealed.remove();
    }
  }

  /**
   * Has deletes of a request that ran out of time sent once more.
   *
   * @param owed sorted by row
   */
  void again(TableName table, List<Owed> owed) {
    if (!owed.isEmpty()) {
      sealed.add(new Rest(table, owed));
    }
  }

  void sent() {
    underWay++;
  }

  /** A request is answered, or not waited for any more. */
  void answered() {
    underWay--;
  }

  boolean isAnswered() {
    return sealed.isEmpty() && underWay == 0;
  }

  /**
   * Appends the cells to write of the units that end here.
   *
   * @param writtenBack is told of units that stay whole
   */
  void emit(List<Cell> out, Consumer<Unit> writtenBack) {
    ending.forEach(unit -> unit.emit(out, writtenBack));
  }

  void beforeShipped() {
    ending.forEach(unit -> unit.piece().beforeShipped());
  }
}
