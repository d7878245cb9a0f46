package io.deli.test.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.entry.Entry;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A table with one index on a cluster of processes, and what plain HBase sees of both. */
final class IndexedRows {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COLUMN = Bytes.toBytes("q");
  private static final String INDEX = "by_q";

  private final OperatedCluster cluster;
  private final TableName name;
  private final Index index;

  private IndexedRows(OperatedCluster cluster, TableName name, Index index) {
    this.cluster = cluster;
    this.name = name;
    this.index = index;
  }

  /** Creates a table, and then its index as an operator does. */
  static IndexedRows create(OperatedCluster cluster, String stem, int versions) throws IOException {
    TableName name = cluster.uniqueTable(stem);
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(versions).build())
              .build());
      DeliAdmin.of(cluster.connection())
          .createIndex(name, IndexDefinition.on(INDEX, Column.of(FAMILY, COLUMN)));
      return new IndexedRows(cluster, name, Index.allOf(admin.getDescriptor(name)).get(0));
    }
  }

  TableName name() {
    return name;
  }

  TableName index() {
    return index.table();
  }

  static Put put(String row, String value) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, COLUMN, Bytes.toBytes(value));
  }

  void collect() throws IOException {
    DeliAdmin.of(cluster.connection()).collect(name, ProgressListener.NONE);
  }

  /** Major-compacts the base table only; asks nothing of the master. */
  void compactBase() throws Exception {
    byte[] region = requestCompaction();
    try (Admin admin = cluster.connection().getAdmin()) {
      Eventually.holdsElsewhere(
          () ->
              assertThat(admin.getCompactionStateForRegion(region))
                  .isEqualTo(CompactionState.NONE));
    }
  }

  /** Has the base table's region major-compacted; returns its name as soon as it will be. */
  byte[] requestCompaction() throws IOException {
    try (Admin admin = cluster.connection().getAdmin();
        RegionLocator locator = cluster.connection().getRegionLocator(name)) {
      byte[] region = locator.getRegionLocation(new byte[0]).getRegion().getRegionName();
      admin.majorCompactRegion(region);
      return region;
    }
  }

  /** All that the index finds, as {@code row=value}. */
  Set<String> findAll() throws IOException {
    return find(ValueQuery.on(INDEX).atLeast(new byte[0]));
  }

  /** The rows that have this value, as {@code row=value}. */
  Set<String> find(String value) throws IOException {
    return find(ValueQuery.on(INDEX).equalTo(Bytes.toBytes(value)));
  }

  private Set<String> find(ValueQuery query) throws IOException {
    Set<String> found = new TreeSet<>();
    try (DeliTable table = cluster.indexed().getTable(name);
        ValueScanner hits = table.readValue(query)) {
      for (ValueHit hit : hits) {
        found.add(Bytes.toString(hit.row()) + "=" + Bytes.toString(hit.value()));
      }
    }
    return found;
  }

  /** The newest value of each row. */
  Set<String> current() throws IOException {
    Set<String> current = new TreeSet<>();
    for (Cell cell : cells(name, new Scan())) {
      current.add(
          Bytes.toString(CellUtil.cloneRow(cell))
              + "="
              + Bytes.toString(CellUtil.cloneValue(cell)));
    }
    return current;
  }

  /** Every version that a scan sees has its entry, and nothing else has one. */
  void assertExact() throws IOException {
    SortedSet<String> wanted = new TreeSet<>();
    for (Cell cell : cells(name, new Scan().readAllVersions())) {
      wanted.add(text(CellUtil.cloneValue(cell), CellUtil.cloneRow(cell), cell.getTimestamp()));
    }
    assertThat(entries()).isEqualTo(wanted);
  }

  /** The index's entries, write ids left out. */
  SortedSet<String> entries() throws IOException {
    SortedSet<String> entries = new TreeSet<>();
    for (Cell cell : cells(index.table(), new Scan().readAllVersions())) {
      Entry entry = index.codec().decode(cell);
      entries.add(text(entry.token(), entry.key(), entry.timestamp()));
    }
    return entries;
  }

  private static String text(byte[] value, byte[] row, long timestamp) {
    return Bytes.toString(value) + ">" + Bytes.toString(row) + "@" + timestamp;
  }

  private Iterable<Cell> cells(TableName table, Scan scan) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (Table plain = cluster.connection().getTable(table);
        ResultScanner rows = plain.getScanner(scan)) {
      for (Result row : rows) {
        cells.addAll(row.listCells());
      }
    }
    return cells;
  }
}
