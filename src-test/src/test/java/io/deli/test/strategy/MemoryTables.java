package io.deli.test.strategy;

import io.deli.entry.Entry;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.Lookup;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** A base table and its index table, of cells in memory. A delete takes exactly its cell. */
final class MemoryTables {
  private final Index index;
  private final NavigableMap<byte[], NavigableSet<Cell>> base =
      new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final NavigableMap<byte[], NavigableSet<Cell>> entries =
      new TreeMap<>(Bytes.BYTES_COMPARATOR);

  MemoryTables(Index index) {
    this.index = index;
  }

  void put(BaseVersion version) {
    for (Put put : index.strategy().write(index, version)) {
      cells(put).forEach(cell -> row(entries, cell).add(cell));
    }
    row(base, cell(version)).add(cell(version));
  }

  void retract(BaseVersion version) {
    for (Delete delete : index.retract(version)) {
      for (Cell marker : cells(delete)) {
        row(entries, marker)
            .removeIf(
                cell ->
                    CellUtil.matchingQualifier(cell, marker)
                        && cell.getTimestamp() == marker.getTimestamp());
      }
    }
    row(base, cell(version)).remove(cell(version));
  }

  private static List<Cell> cells(Mutation mutation) {
    return mutation.getFamilyCellMap().values().stream().flatMap(List::stream).toList();
  }

  private static NavigableSet<Cell> row(NavigableMap<byte[], NavigableSet<Cell>> table, Cell cell) {
    return table.computeIfAbsent(
        CellUtil.cloneRow(cell), key -> new TreeSet<>(CellComparator.getInstance()));
  }

  private Cell cell(BaseVersion version) {
    return new KeyValue(
        version.key(),
        index.column().family(),
        index.column().qualifier(),
        version.timestamp(),
        version.value());
  }

  /** The rows that a lookup leads to, one bucket after the other. */
  List<Entry> entries(Lookup lookup) {
    return lookup.tokens().isEmpty()
        ? List.of()
        : IntStream.range(0, lookup.buckets().count())
            .mapToObj(lookup::in)
            .flatMap(bucket -> stored(bucket).stream())
            .toList();
  }

  private List<Entry> stored(Lookup lookup) {
    NavigableMap<byte[], NavigableSet<Cell>> table =
        lookup.table().equals(index.baseTable()) ? base : entries;
    NavigableMap<byte[], NavigableSet<Cell>> range = table.tailMap(lookup.startRow(), true);
    if (lookup.stopRow().length > 0) {
      range = range.headMap(lookup.stopRow(), false);
    }
    List<Entry> found = new ArrayList<>();
    for (NavigableSet<Cell> row : range.values()) {
      if (!row.isEmpty()) {
        found.addAll(lookup.entries().apply(Result.create(List.copyOf(row))));
      }
    }
    return found;
  }
}
