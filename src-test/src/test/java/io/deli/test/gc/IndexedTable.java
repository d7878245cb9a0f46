package io.deli.test.gc;

import io.deli.coprocessor.DeliRegionObserver;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A base table with indexes on family {@code f}, written by plain HBase as a DELI client would:
 * index first, then base. Flushes and compactions run in the caller's thread.
 */
final class IndexedTable implements AutoCloseable {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] QUALIFIER = Bytes.toBytes("q");
  static final Column COLUMN = Column.of(FAMILY, QUALIFIER);
  private static final AtomicLong IDS = new AtomicLong();

  private final TableDescriptor descriptor;
  private final List<Index> indexes;
  private final Table base;
  private final int compactions;

  private IndexedTable(TableDescriptor descriptor, List<Index> indexes, int compactions)
      throws IOException {
    this.compactions = compactions;
    this.descriptor = descriptor;
    this.indexes = indexes;
    base = MiniCluster.connection().getTable(descriptor.getTableName());
  }

  /**
   * A table.
   *
   * @param values of the descriptor: key, value, key, value ...
   * @param compactions that {@link #major} makes
   * @param ofIndexes coprocessors of the index tables
   */
  static IndexedTable create(
      TableName name,
      ColumnFamilyDescriptorBuilder family,
      List<IndexDefinition> definitions,
      List<String> values,
      int compactions,
      String... ofIndexes)
      throws IOException {
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(family.build())
            .setCoprocessor(DeliRegionObserver.class.getName())
            .setValue("hbase.store.delete.expired.storefile", "false");
    definitions.forEach(definition -> IndexDefinitions.put(builder, definition));
    for (int i = 0; i < values.size(); i += 2) {
      builder.setValue(values.get(i), values.get(i + 1));
    }
    TableDescriptor descriptor = builder.build();
    Admin admin = MiniCluster.utility().getAdmin();
    for (IndexDefinition definition : definitions) {
      TableDescriptorBuilder index =
          TableDescriptorBuilder.newBuilder(IndexTables.descriptor(descriptor, definition));
      for (String coprocessor : ofIndexes) {
        index.setCoprocessor(coprocessor);
      }
      admin.createTable(index.build());
    }
    admin.createTable(descriptor);
    return new IndexedTable(
        descriptor, definitions.stream().map(d -> Index.of(name, d)).toList(), compactions);
  }

  Table base() {
    return base;
  }

  TableName name() {
    return descriptor.getTableName();
  }

  List<Index> indexes() {
    return indexes;
  }

  Index index() {
    return indexes.get(0);
  }

  /** Writes as a client that drew the timestamp itself. */
  void put(String row, long timestamp, String value) throws IOException {
    put(row, timestamp, value, WriteId.NONE);
  }

  /** Writes as a client whose application gave the timestamp; returns the write's identity. */
  WriteId putAgain(String row, long timestamp, String value) throws IOException {
    WriteId id = WriteId.of(System.currentTimeMillis(), IDS.incrementAndGet());
    put(row, timestamp, value, id);
    return id;
  }

  private void put(String row, long timestamp, String value, WriteId id) throws IOException {
    Put put =
        new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, timestamp, Bytes.toBytes(value));
    if (!id.isNone()) {
      put.setAttribute(WriteId.ATTRIBUTE, id.toBytes());
    }
    put(put, id);
  }

  void put(Put put, WriteId id) throws IOException {
    put(List.of(put), id);
  }

  void put(List<Put> puts, WriteId id) throws IOException {
    for (Index index : indexes) {
      List<Put> entries = new ArrayList<>();
      for (Put put : puts) {
        for (Cell cell : put.get(FAMILY, index.column().qualifier())) {
          BaseVersion version =
              new BaseVersion(put.getRow(), CellUtil.cloneValue(cell), cell.getTimestamp(), id);
          entries.addAll(index.strategy().write(index, version));
        }
      }
      try (Table table = MiniCluster.connection().getTable(index.table())) {
        table.put(entries);
      }
    }
    base.put(puts);
  }

  void delete(Delete delete) throws IOException {
    base.delete(delete);
  }

  static Delete deleteOf(String row) {
    return new Delete(Bytes.toBytes(row));
  }

  /** The only region. */
  HRegion region() {
    return MiniCluster.utility().getMiniHBaseCluster().getRegions(name()).get(0);
  }

  void flush() throws IOException {
    region().flush(true);
  }

  /** Compacts some files, as HBase chooses. */
  void minor() throws IOException {
    region().compact(false);
    awaitQuiet();
  }

  /** Compacts all files, as often as garbage needs to be gone. */
  void major() throws IOException {
    for (int i = 0; i < compactions; i++) {
      majorOnce();
    }
  }

  /** Compacts all files; returns when what follows a compaction is done, too. */
  void majorOnce() throws IOException {
    region().compact(true);
    awaitQuiet();
  }

  /** Returns when no compaction, nor what follows one, is under way. */
  void awaitQuiet() throws IOException {
    HRegion region = region();
    MiniCluster.utility()
        .waitFor(60_000, 10, () -> region.getCompactionState() == CompactionState.NONE);
  }

  void flushAndMajor() throws IOException {
    flush();
    major();
  }

  void majorOfIndexes() throws IOException {
    for (Index index : indexes) {
      for (HRegion region : MiniCluster.utility().getMiniHBaseCluster().getRegions(index.table())) {
        region.flush(true);
        region.compact(true);
      }
    }
  }

  /** Entries of the first index, as {@code token>key@timestamp}. */
  SortedSet<String> entries() throws IOException {
    return entries(index());
  }

  static SortedSet<String> entries(Index index) throws IOException {
    SortedSet<String> entries = new TreeSet<>();
    try (Table table = MiniCluster.connection().getTable(index.table());
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          entries.add(text(index.codec().decode(cell)));
        }
      }
    }
    return entries;
  }

  /** The entries that the live versions of the base table justify. */
  static SortedSet<String> justified(Table base, Index index) throws IOException {
    SortedSet<String> entries = new TreeSet<>();
    Scan scan =
        new Scan().addColumn(index.column().family(), index.column().qualifier()).readAllVersions();
    try (ResultScanner scanner = base.getScanner(scan)) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          index
              .entries(BaseVersion.of(cell, WriteId.NONE))
              .forEach(entry -> entries.add(text(entry)));
        }
      }
    }
    return entries;
  }

  SortedSet<String> justified() throws IOException {
    return justified(base, index());
  }

  /** Everything that lies in the base table's files and memory, markers included. */
  List<String> raw() throws IOException {
    List<String> cells = new ArrayList<>();
    try (ResultScanner scanner = base.getScanner(new Scan().setRaw(true).readAllVersions())) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          cells.add(CellUtil.getCellKeyAsString(cell));
        }
      }
    }
    return cells;
  }

  static String entry(String value, String row, long timestamp) {
    return value + ">" + row + "@" + timestamp;
  }

  private static String text(Entry entry) {
    return entry(Bytes.toString(entry.token()), Bytes.toString(entry.key()), entry.timestamp());
  }

  @Override
  public void close() throws IOException {
    base.close();
  }
}
