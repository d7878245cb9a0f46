package io.deli.client.internal.verify;

import com.google.protobuf.Message;
import io.deli.client.IndexUnavailableException;
import io.deli.client.internal.RegionClient;
import io.deli.entry.Entry;
import io.deli.index.Column;
import io.deli.index.InvalidIndexException;
import io.deli.service.RegionService;
import io.deli.service.TwinScan;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.KeyColumns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads versions of an index from the base table, by row key, newest first. Thread-safe. */
public final class BaseTableReader {
  /** Values to hold at a time, about. */
  private static final long PORTION_BYTES = 8L << 20;

  private static final int MOST_ROWS = 256;

  /** Versions of a row in one partial result. */
  private static final int CELLS = 100;

  private final Connection connection;
  private final Index index;

  /** Rows to read at a time, adapted to the size of the rows. */
  private volatile int portion = 16;

  public BaseTableReader(Connection connection, Index index) {
    this.connection = connection;
    this.index = index;
  }

  /**
   * Fails if the table that is compared is not maintained any more: rows that came since have no
   * entries in it. An index that was not maintained at the beginning may be compared, too.
   */
  void requireMaintained() throws IOException {
    try (Table table = open()) {
      if (index.definition().state().maintained()
          && IndexDefinitions.named(table.getDescriptor(), index.name())
              .filter(now -> now.state().maintained())
              .map(now -> IndexDefinitions.indexTables(index.baseTable(), now))
              .filter(tables -> tables.contains(index.table()))
              .isEmpty()) {
        throw new IndexUnavailableException(
            "index '%s' of table %s was rebuilt, disabled or dropped while it was verified. Verify it again."
                .formatted(index.name(), index.baseTable()));
      }
    }
  }

  /**
   * Fails if a family of the index was deleted, which HBase would tell without naming the index.
   */
  void requireFamilies(TableDescriptor base) {
    for (Column column : index.columns()) {
      if (!base.hasColumnFamily(column.family())) {
        throw new InvalidIndexException(
            "index '%s': table %s no longer has the family of column %s. Drop the index."
                .formatted(index.name(), index.baseTable(), column));
      }
    }
  }

  Table open() throws IOException {
    return connection.getTable(index.baseTable());
  }

  /** Returns the entries that no visible version justifies, by row key. */
  List<Entry> unjustified(Collection<Entry> entries) throws IOException {
    NavigableMap<byte[], List<Entry>> left = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    entries.forEach(each -> left.computeIfAbsent(each.key(), k -> new ArrayList<>(1)).add(each));
    new RowsReader(connection, index.baseTable())
        .read(
            left.navigableKeySet(),
            this::versions,
            piece -> {
              List<Entry> ofRow = left.get(piece.getRow());
              for (Cell version : index.key().versions(piece)) {
                ofRow.removeIf(entry -> index.isOf(entry, version));
              }
            });
    return left.values().stream().flatMap(List::stream).toList();
  }

  private Scan versions() {
    return index.key().inParts(index.key().addTo(new Scan()).readAllVersions(), CELLS);
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
    return visible(entries, row -> true);
  }

  /** Reads them of some rows only: those that a partial index includes, say. */
  NavigableMap<byte[], List<Cell>> visible(Collection<Entry> entries, Predicate<Result> which)
      throws IOException {
    NavigableMap<byte[], List<Cell>> found = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    if (entries.isEmpty()) {
      return found;
    }
    List<Get> gets = rows(entries).stream().map(this::get).toList();
    long bytes = 0;
    try (Table table = open()) {
      for (Result row : table.get(gets)) {
        List<Cell> versions = index.key().versions(row);
        if (!versions.isEmpty() && which.test(row)) {
          found.put(row.getRow(), versions);
          bytes += Result.getTotalSizeOfCells(row);
        }
      }
    }
    adapt(gets.size(), bytes);
    return found;
  }

  private Get get(byte[] key) {
    Get get = new Get(key).readAllVersions().setCacheBlocks(false);
    index.columns().forEach(column -> get.addColumn(column.family(), column.qualifier()));
    return get;
  }

  private void adapt(int rows, long bytes) {
    long fitting = rows * PORTION_BYTES / Math.max(1, bytes);
    portion = (int) Math.max(1, Math.min(fitting, Math.min(2 * portion, MOST_ROWS)));
  }

  /** Reads all stored versions, including dead ones that no compaction has dropped yet. */
  NavigableMap<byte[], List<Cell>> all(Collection<Entry> entries) throws IOException {
    NavigableMap<byte[], List<Cell>> found = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    SortedSet<byte[]> rows = rows(entries);
    AtomicLong bytes = new AtomicLong();
    new RowsReader(connection, index.baseTable())
        .read(
            rows,
            () -> stored(index),
            row -> {
              found.put(row.getRow(), index.key().versions(row.listCells()));
              bytes.addAndGet(Result.getTotalSizeOfCells(row));
            });
    adapt(rows.size(), bytes.get());
    return found;
  }

  /**
   * Returns a scan of all stored versions of the indexed columns, and of that of a condition, and
   * the markers that hide them; also of what such a version hides at its timestamp until it
   * expires.
   */
  public static Scan stored(Index index) {
    // A raw scan takes no column.
    return TwinScan.ask(
        new Scan()
            .addFamily(index.column().family())
            .setFilter(KeyColumns.filter(index.columns()))
            .readAllVersions()
            .setRaw(true)
            .setCacheBlocks(false));
  }

  private static SortedSet<byte[]> rows(Collection<Entry> entries) {
    SortedSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    entries.forEach(entry -> rows.add(entry.key()));
    return rows;
  }

  /** Requests the repair of an entry from the region of its base row. */
  void report(Entry entry) throws IOException {
    Message request = new RegionService.Suspect(index.name(), entry).toMessage();
    try (Table table = open()) {
      RegionClient.call(table, entry.key(), RegionService.REPAIR, request);
    } catch (IOException e) {
      throw new IOException("could not request the repair of " + entry, e);
    }
  }
}
