package io.deli.test.read;

import io.deli.client.Continuation;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.internal.KnownIndexes;
import io.deli.client.internal.read.QueryEngine;
import io.deli.config.DeliSettings;
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
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table whose indexes are written by hand, each half of a write by itself, so that a test decides
 * what the reader meets. Nothing is collected here. Tables stay until the cluster ends: to drop
 * them takes longer than most tests.
 */
final class IndexedTable {
  static final byte[] FAMILY = Bytes.toBytes("f");

  private static AsyncConnection async;

  private final KnownIndexes indexes;

  private IndexedTable(KnownIndexes indexes) {
    this.indexes = indexes;
  }

  static IndexedTable create(
      String stem,
      UnaryOperator<ColumnFamilyDescriptorBuilder> family,
      IndexDefinition... definitions)
      throws IOException {
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(MiniCluster.uniqueTable(stem))
            .setCoprocessor("io.deli.coprocessor.DeliRegionObserver")
            .setValue("deli.gc.mode", "off")
            .setColumnFamily(
                family.apply(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)).build());
    for (IndexDefinition definition : definitions) {
      IndexDefinitions.put(builder, definition);
    }
    TableDescriptor base = builder.build();
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      for (IndexDefinition definition : definitions) {
        admin.createTable(IndexTables.descriptor(base, definition));
      }
      admin.createTable(base);
    }
    return new IndexedTable(KnownIndexes.of(base, 0));
  }

  static Column column(String qualifier) {
    return Column.of(FAMILY, Bytes.toBytes(qualifier));
  }

  /** Shared; do not close it. */
  static synchronized AsyncConnection async() {
    if (async == null) {
      async = ConnectionFactory.createAsyncConnection(MiniCluster.configuration()).join();
    }
    return async;
  }

  KnownIndexes indexes() {
    return indexes;
  }

  TableName base() {
    return indexes.base();
  }

  Index index(String name) {
    return indexes.indexes().stream().filter(i -> i.name().equals(name)).findFirst().orElseThrow();
  }

  /** Both halves of a write, for all indexes on the column. */
  void write(String row, Column column, byte[] value, long timestamp) throws IOException {
    writeEntries(row, column, value, timestamp, WriteId.NONE);
    writeBase(row, column, value, timestamp);
  }

  /** The first half. */
  void writeEntries(String row, Column column, byte[] value, long timestamp, WriteId id)
      throws IOException {
    BaseVersion version = new BaseVersion(Bytes.toBytes(row), value, timestamp, id);
    for (Index index : indexes.indexes()) {
      if (index.column().equals(column)) {
        try (Table table = MiniCluster.connection().getTable(index.table())) {
          table.put(index.strategy().write(index, version));
        }
      }
    }
  }

  /** The second half. */
  void writeBase(String row, Column column, byte[] value, long timestamp) throws IOException {
    try (Table table = table()) {
      table.put(
          new Put(Bytes.toBytes(row))
              .addColumn(column.family(), column.qualifier(), timestamp, value));
    }
  }

  Table table() throws IOException {
    return MiniCluster.connection().getTable(base());
  }

  void flush() throws IOException {
    MiniCluster.utility().flush(base());
  }

  static QueryEngine lookups(int page) {
    return lookups(page, 1 << 20);
  }

  /** With a memory of so many bytes. */
  static QueryEngine lookups(int page, long memory) {
    Configuration configuration = MiniCluster.configuration();
    configuration.setLong(DeliSettings.READ_MEMORY.key(), memory);
    configuration.setInt("deli.read.page", page);
    return new QueryEngine(async(), configuration);
  }

  List<ValueHit> read(QueryEngine lookups, ValueQuery query) throws IOException {
    List<ValueHit> hits = new ArrayList<>();
    try (ValueScanner scanner = lookups.open(indexes, query)) {
      for (Optional<ValueHit> hit = scanner.next(); hit.isPresent(); hit = scanner.next()) {
        hits.add(hit.get());
      }
    }
    return hits;
  }

  /** Reads to the end in runs of {@code limit}, each from the continuation of the one before. */
  List<ValueHit> readOn(QueryEngine lookups, ValueQuery query, int limit) throws IOException {
    List<ValueHit> hits = new ArrayList<>();
    Optional<Continuation> from = Optional.empty();
    do {
      ValueQuery run = from.map(query::from).orElse(query).limit(limit);
      try (ValueScanner scanner = lookups.open(indexes, run)) {
        scanner.forEach(hits::add);
        from = scanner.continuation();
      }
    } while (from.isPresent());
    return hits;
  }

  /** All entries that the index table shows. */
  List<Cell> entries(String index) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (Table table = MiniCluster.connection().getTable(index(index).table());
        ResultScanner rows = table.getScanner(new Scan().readAllVersions())) {
      for (Result row : rows) {
        cells.addAll(row.listCells());
      }
    }
    return cells;
  }
}
