package io.deli.client.internal.verify;

import com.google.protobuf.Message;
import com.google.protobuf.ServiceException;
import io.deli.entry.Entry;
import io.deli.index.Column;
import io.deli.index.Index;
import io.deli.service.RegionService;
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

/** The base table: its versions of the indexed column, by row key, newest first. */
final class BaseSide {
  private final Table table;
  private final Index index;

  BaseSide(Table table, Index index) {
    this.table = table;
    this.index = index;
  }

  Table table() {
    return table;
  }

  /** The versions that a reader sees, of those rows that have any. */
  NavigableMap<byte[], List<Cell>> visible(Collection<byte[]> keys) throws IOException {
    Column column = index.column();
    List<Get> gets =
        distinct(keys).stream()
            .map(
                key ->
                    new Get(key)
                        .addColumn(column.family(), column.qualifier())
                        .readAllVersions()
                        .setCacheBlocks(false))
            .toList();
    NavigableMap<byte[], List<Cell>> found = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Result row : table.get(gets)) {
      if (!row.isEmpty()) {
        found.put(row.getRow(), row.listCells());
      }
    }
    return found;
  }

  /** The versions that are there at all, dead ones included that no compaction has dropped yet. */
  NavigableMap<byte[], List<Cell>> all(Collection<byte[]> keys) throws IOException {
    NavigableMap<byte[], List<Cell>> found = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    if (keys.isEmpty()) {
      return found;
    }
    List<byte[]> rows = distinct(keys);
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
      for (Result row : scanner) {
        found.put(
            row.getRow(),
            row.listCells().stream().filter(cell -> cell.getType() == Cell.Type.Put).toList());
      }
    }
    return found;
  }

  private static List<byte[]> distinct(Collection<byte[]> keys) {
    NavigableMap<byte[], byte[]> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    keys.forEach(key -> rows.put(key, key));
    return List.copyOf(rows.keySet());
  }

  /** Has the region of the entry's row look into it, and delete it if nothing justifies it. */
  void report(Entry entry) throws IOException {
    Message request = new RegionService.Suspect(index.name(), entry).toMessage();
    try {
      table
          .coprocessorService(entry.key())
          .callBlockingMethod(
              RegionService.REPAIR,
              null,
              request,
              RegionService.prototype(RegionService.REPAIR.getOutputType()));
    } catch (ServiceException e) {
      throw new IOException("could not report " + entry, e);
    }
  }
}
