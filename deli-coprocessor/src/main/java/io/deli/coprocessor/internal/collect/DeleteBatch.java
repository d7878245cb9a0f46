package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.send.IndexDelete;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.util.Bytes;

/** Deletes that go together, one for each row of an index table. Not thread-safe. */
final class DeleteBatch {
  private final NavigableMap<TableName, NavigableMap<byte[], IndexDelete>> byRow = new TreeMap<>();

  /** Adds to the delete of that row, or begins it. */
  IndexDelete add(TableName table, Delete delete) {
    NavigableMap<byte[], IndexDelete> rows =
        byRow.computeIfAbsent(table, t -> new TreeMap<>(Bytes.BYTES_COMPARATOR));
    IndexDelete there = rows.get(delete.getRow());
    if (there == null) {
      IndexDelete first = new IndexDelete(table, delete);
      rows.put(delete.getRow(), first);
      return first;
    }
    for (List<Cell> cells : delete.getFamilyCellMap().values()) {
      cells.forEach(cell -> append(there.delete(), cell));
    }
    return there;
  }

  private static void append(Delete delete, Cell cell) {
    try {
      delete.add(cell);
    } catch (IOException e) {
      throw new UncheckedIOException("a delete of another row: " + cell, e);
    }
  }

  boolean isEmpty() {
    return byRow.isEmpty();
  }

  /** Sorted by table and row. */
  List<IndexDelete> toList() {
    return byRow.values().stream().flatMap(rows -> rows.values().stream()).toList();
  }
}
