package io.deli.client.internal.verify;

import com.google.protobuf.Message;
import io.deli.client.internal.RegionClient;
import io.deli.entry.Entry;
import io.deli.index.Column;
import io.deli.service.RegionService;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads versions of the indexed column from the base table, by row key, newest first. Not
 * thread-safe.
 */
public final class BaseTableReader {
  /** Values to hold at a time, about. */
  private static final long PORTION_BYTES = 8L << 20;

  private static final int MOST_ROWS = 256;

  private final Table table;
  private final Index index;

  /** Rows to read at a time, adapted to the size of the rows. */
  private int portion = 16;

  public BaseTableReader(Table table, Index index) {
    this.table = table;
    this.index = index;
  }

  Table table() {
    return table;
  }

  /** A step over part of the entries. */
  @FunctionalInterface
  interface Step {
    void take(List<Entry> some) throws IOException;
  }

  /** Runs a step for as many entries at a time as their rows fit into memory. */
  void inPortions(List<Entry> all, Step step) throws IOException {
    int from = 0;
    while (from < all.size()) {
      int end = Math.min(all.size(), from + portion);
      step.take(all.subList(from, end));
      from = end;
    }
  }

  /** Reads the visible versions in the rows of entries; rows without any are left out. */
  public NavigableMap<byte[], List<Cell>> visible(Collection<Entry> entries) throws IOException {
    NavigableMap<byte[], List<Cell>> found = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    if (entries.isEmpty()) {
      return found;
    }
    Column column = index.column();
    List<Get> gets =
        rows(entries).stream()
            .map(
                key ->
                    new Get(key)
                        .addColumn(column.family(), column.qualifier())
                        .readAllVersions()
                        .setCacheBlocks(false))
            .toList();
    long bytes = 0;
    for (Result row : table.get(gets)) {
      if (!row.isEmpty()) {
        found.put(row.getRow(), row.listCells());
        bytes += Result.getTotalSizeOfCells(row);
      }
    }
    adapt(gets.size(), bytes);
    return found;
  }

  private void adapt(int rows, long bytes) {
    long fitting = rows * PORTION_BYTES / Math.max(1, bytes);
    portion = (int) Math.max(1, Math.min(fitting, Math.min(2 * portion, MOST_ROWS)));
  }

  /** Reads all stored versions, including dead ones that no compaction has dropped yet. */
  NavigableMap<byte[], List<Cell>> all(Collection<Entry> entries) throws IOException {
    NavigableMap<byte[], List<Cell>> found = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    if (entries.isEmpty()) {
      return found;
    }
    List<byte[]> rows = rows(entries);
    List<RowRange> ranges = new ArrayList<>();
    rows.forEach(row -> ranges.add(new RowRange(row, true, row, true)));
    FilterList cells =
        new FilterList(
            new MultiRowRangeFilter(ranges),
            new QualifierFilter(
                CompareOperator.EQUAL, new BinaryComparator(index.column().qualifier())));
    // A raw scan takes no column.
    Scan scan =
        new Scan()
            .withStartRow(rows.get(0))
            .withStopRow(rows.get(rows.size() - 1), true)
            .addFamily(index.column().family())
            .setFilter(cells)
            .readAllVersions()
            .setRaw(true)
            .setCacheBlocks(false);
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        found.put(
            row.getRow(),
            row.listCells().stream().filter(cell -> cell.getType() == Cell.Type.Put).toList());
      }
    }
    return found;
  }

  private static List<byte[]> rows(Collection<Entry> entries) {
    NavigableMap<byte[], Entry> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    entries.forEach(entry -> rows.put(entry.key(), entry));
    return List.copyOf(rows.keySet());
  }

  /** Requests the repair of an entry from the region of its base row. */
  void report(Entry entry) throws IOException {
    Message request = new RegionService.Suspect(index.name(), entry).toMessage();
    try {
      RegionClient.call(table, entry.key(), RegionService.REPAIR, request);
    } catch (IOException e) {
      throw new IOException("could not request the repair of " + entry, e);
    }
  }
}
