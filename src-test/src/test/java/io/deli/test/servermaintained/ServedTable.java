package io.deli.test.servermaintained;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.entry.Entry;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.strategy.Index;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A table whose index the region servers maintain, and what plain HBase sees of both. */
record ServedTable(Connection plain, TableName name, Index index) {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] COLUMN = Bytes.toBytes("q");
  static final byte[] OTHER = Bytes.toBytes("o");
  static final IndexDefinition BY_Q =
      IndexDefinition.on("by_q", Column.of(FAMILY, COLUMN)).withMaintenance(Maintenance.SERVER);

  static ServedTable create(
      Connection plain, TableName name, IndexDefinition definition, int versions, byte[]... splits)
      throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(versions).build())
              .build(),
          splits.length == 0 ? null : splits);
      DeliAdmin.of(plain).createIndex(name, definition);
      return new ServedTable(plain, name, Index.of(name, definition));
    }
  }

  static Put put(String row, String value) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, COLUMN, Bytes.toBytes(value));
  }

  Table table() throws IOException {
    return plain.getTable(name);
  }

  /** What queries find and a scan of the base shows are the same, and that. */
  SortedSet<String> assertRight(int versions) throws IOException {
    SortedSet<String> base = base(versions);
    assertThat(found(versions)).isEqualTo(base);
    return base;
  }

  /** Versions of the column as {@code row=value@timestamp}. */
  SortedSet<String> base(int versions) throws IOException {
    SortedSet<String> all = new TreeSet<>();
    for (Cell cell : cells(name, new Scan().addColumn(FAMILY, COLUMN).readVersions(versions))) {
      all.add(text(CellUtil.cloneRow(cell), CellUtil.cloneValue(cell), cell.getTimestamp()));
    }
    return all;
  }

  /** What queries find, in the same form. */
  SortedSet<String> found(int versions) throws IOException {
    SortedSet<String> all = new TreeSet<>();
    try (DeliConnection deli = MiniCluster.connect(plain.getConfiguration());
        DeliTable table = deli.getTable(name);
        ValueScanner hits =
            table.readValue(ValueQuery.on(index.name()).atLeast(new byte[0]).versions(versions))) {
      for (ValueHit hit : hits) {
        all.add(text(hit.row(), hit.value(), hit.timestamp()));
      }
    }
    return all;
  }

  /** The entries as {@code row=value@timestamp}, one for each write id. */
  List<String> entries() throws IOException {
    List<String> entries = new ArrayList<>();
    for (Cell cell : cells(index.table(), new Scan().readAllVersions())) {
      Entry entry = index.codec().decode(cell);
      entries.add(text(entry.key(), entry.token(), entry.timestamp()));
    }
    return entries;
  }

  /** As if all entries had been collected. */
  void emptyIndex() throws IOException {
    try (Table table = plain.getTable(index.table())) {
      for (Cell cell : cells(index.table(), new Scan().readAllVersions())) {
        table.delete(index.codec().delete(index.codec().decode(cell)));
      }
    }
  }

  List<Cell> cells(TableName of, Scan scan) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (Table table = plain.getTable(of);
        ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        cells.addAll(row.listCells());
      }
    }
    return cells;
  }

  private static String text(byte[] row, byte[] value, long timestamp) {
    return Bytes.toString(row) + "=" + Bytes.toString(value) + "@" + timestamp;
  }
}
