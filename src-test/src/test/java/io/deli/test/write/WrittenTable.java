package io.deli.test.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.config.DeliSettings;
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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A table with indexes that DELI's client writes, and what plain HBase sees of it. */
final class WrittenTable {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] COLUMN = Bytes.toBytes("q");
  static final byte[] OTHER = Bytes.toBytes("o");
  static final Column INDEXED = Column.of(FAMILY, COLUMN);

  private final TableDescriptor descriptor;

  private WrittenTable(TableDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  /** Exactly indexed on {@code f:q} by {@code by_q}. */
  static WrittenTable create(String stem, int versions, byte[]... splits) throws IOException {
    return create(stem, versions, List.of(IndexDefinition.on("by_q", INDEXED)), splits);
  }

  static WrittenTable create(
      String stem, int versions, List<IndexDefinition> definitions, byte[]... splits)
      throws IOException {
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(MiniCluster.uniqueTable(stem))
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(versions).build())
            .setCoprocessor(DeliRegionObserver.class.getName());
    definitions.forEach(definition -> IndexDefinitions.put(builder, definition));
    TableDescriptor base = builder.build();
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      for (IndexDefinition definition : definitions) {
        admin.createTable(IndexTables.descriptor(base, definition));
      }
      admin.createTable(base, splits.length == 0 ? null : splits);
    }
    return new WrittenTable(base);
  }

  /** The same table, whose regions take any timestamp that a client draws. */
  WrittenTable admittingAll() throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name()))
              .setValue(DeliSettings.ADMISSION.key(), "false")
              .build());
    }
    return this;
  }

  /** A connection as an application opens it that knows of DELI by its configuration only. */
  static Connection connect(String... settings) throws IOException {
    Configuration configuration = MiniCluster.configuration();
    configuration.set("hbase.client.connection.impl", DeliConnection.class.getName());
    for (int i = 0; i < settings.length; i += 2) {
      configuration.set(settings[i], settings[i + 1]);
    }
    return ConnectionFactory.createConnection(configuration);
  }

  TableName name() {
    return descriptor.getTableName();
  }

  Index index() {
    return Index.allOf(descriptor).get(0);
  }

  /** Puts in the base table's memory and files, whatever supersedes them: {@code v>row@ts}. */
  SortedSet<String> versions() throws IOException {
    SortedSet<String> versions = new TreeSet<>();
    for (Index index : Index.allOf(descriptor)) {
      for (Cell cell : cells(name(), new Scan().setRaw(true).addFamily(FAMILY))) {
        if (cell.getType() == Cell.Type.Put && index.column().matches(cell)) {
          entries(index, cell).forEach(entry -> versions.add(text(index, entry)));
        }
      }
    }
    return versions;
  }

  /** What a plain Get or Scan sees of the indexed columns. */
  SortedSet<String> current() throws IOException {
    SortedSet<String> versions = new TreeSet<>();
    for (Index index : Index.allOf(descriptor)) {
      for (Cell cell : cells(name(), new Scan().addFamily(FAMILY))) {
        if (index.column().matches(cell)) {
          entries(index, cell).forEach(entry -> versions.add(text(index, entry)));
        }
      }
    }
    return versions;
  }

  /** All entries of all indexes, in the same form; the same entry twice if it has two write ids. */
  List<String> entries() throws IOException {
    List<String> entries = new ArrayList<>();
    for (Index index : Index.allOf(descriptor)) {
      for (Cell cell : cells(index.table(), new Scan())) {
        entries.add(text(index, index.codec().decode(cell)));
      }
    }
    return entries;
  }

  /** As read repair would, if nothing stood behind them. */
  void deleteEntries() throws IOException {
    deleteEntries(new Scan());
  }

  /** As a collection would, those of the versions at a timestamp. */
  void deleteEntriesAt(long timestamp) throws IOException {
    deleteEntries(new Scan().setTimestamp(timestamp));
  }

  private void deleteEntries(Scan scan) throws IOException {
    for (Index index : Index.allOf(descriptor)) {
      try (Table plain = MiniCluster.connection().getTable(index.table())) {
        for (Cell cell : cells(index.table(), scan)) {
          plain.delete(index.codec().delete(index.codec().decode(cell)));
        }
      }
    }
  }

  /** Every version has exactly its entries, and nothing else has one. */
  void assertIndexed() throws IOException {
    assertThat(entries()).containsExactlyInAnyOrderElementsOf(versions());
  }

  void assertEmpty() throws IOException {
    assertThat(entries()).isEmpty();
    assertNothingInBase();
  }

  void assertNothingInBase() throws IOException {
    assertThat(cells(name(), new Scan().setRaw(true))).isEmpty();
  }

  private static List<Entry> entries(Index index, Cell cell) {
    return index.entries(BaseVersion.of(cell, WriteId.NONE));
  }

  private static String text(Index index, Entry entry) {
    return index.name()
        + ":"
        + Bytes.toStringBinary(entry.token())
        + ">"
        + Bytes.toString(entry.key())
        + "@"
        + entry.timestamp();
  }

  static List<Cell> cells(TableName table, Scan scan) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (Table plain = MiniCluster.connection().getTable(table);
        ResultScanner rows = plain.getScanner(scan.readAllVersions())) {
      for (Result row : rows) {
        cells.addAll(row.listCells());
      }
    }
    return cells;
  }
}
