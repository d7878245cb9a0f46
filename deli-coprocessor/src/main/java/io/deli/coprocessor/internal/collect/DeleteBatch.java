package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.entry.RowSort;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Row;

/** Deletes that go together, those of a row of an index table in one. Not thread-safe. */
final class DeleteBatch {
  /**
   * The size limit of one row's delete, which may have an entry for every version of a base row.
   */
  private static final int CELLS_TOGETHER = 100;

  private static final Comparator<IndexDelete> BY_ROW =
      Comparator.comparing(IndexDelete::delete, Row.COMPARATOR);

  /** The deletes for one table, and of each row the one that is not full. */
  private record OfTable(List<IndexDelete> all, Map<ByteBuffer, IndexDelete> open) {
    OfTable() {
      this(new ArrayList<>(), new HashMap<>());
    }
  }

  private final NavigableMap<TableName, OfTable> byTable = new TreeMap<>();
  private long bytes;

  /** Adds to the delete of that row, or begins one. */
  IndexDelete add(TableName table, Delete delete) {
    OfTable deletes = byTable.computeIfAbsent(table, t -> new OfTable());
    ByteBuffer row = ByteBuffer.wrap(delete.getRow());
    IndexDelete there = deletes.open().get(row);
    if (there == null || there.cells() >= CELLS_TOGETHER) {
      IndexDelete first = new IndexDelete(table, delete);
      deletes.open().put(row, first);
      deletes.all().add(first);
      bytes += IndexDelete.heapSize(delete);
      return first;
    }
    for (List<Cell> cells : delete.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        there.add(cell);
        bytes += cell.heapSize();
      }
    }
    return there;
  }

  /** The memory that it takes, estimated. */
  long bytes() {
    return bytes;
  }

  /** Sorted by table, then by row. */
  List<IndexDelete> toList() {
    List<IndexDelete> sorted = new ArrayList<>();
    for (OfTable deletes : byTable.values()) {
      RowSort.sort(deletes.all(), DeleteBatch::firstOnRow, BY_ROW);
      sorted.addAll(deletes.all());
    }
    return sorted;
  }

  private static Cell firstOnRow(IndexDelete delete) {
    byte[] row = delete.delete().getRow();
    return PrivateCellUtil.createFirstOnRow(row, 0, (short) row.length);
  }
}
