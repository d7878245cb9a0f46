package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.send.IndexDelete;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.util.Bytes;

/** Deletes that go together, those of a row of an index table in one. Not thread-safe. */
final class DeleteBatch {
  /**
   * The size limit of one row's delete, which may have an entry for every version of a base row.
   */
  private static final int CELLS_TOGETHER = 100;

  private final NavigableMap<TableName, NavigableMap<byte[], IndexDelete>> byRow = new TreeMap<>();
  private final List<IndexDelete> full = new ArrayList<>();
  private long bytes;

  /** Adds to the delete of that row, or begins one. */
  IndexDelete add(TableName table, Delete delete) {
    NavigableMap<byte[], IndexDelete> rows =
        byRow.computeIfAbsent(table, t -> new TreeMap<>(Bytes.BYTES_COMPARATOR));
    IndexDelete there = rows.get(delete.getRow());
    if (there == null || there.cells() >= CELLS_TOGETHER) {
      if (there != null) {
        full.add(there);
      }
      IndexDelete first = new IndexDelete(table, delete);
      rows.put(delete.getRow(), first);
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

  /** Sorted by table, and but for rows with very many entries, by row. */
  List<IndexDelete> toList() {
    return Stream.concat(
            byRow.values().stream().flatMap(rows -> rows.values().stream()), full.stream())
        .toList();
  }
}
