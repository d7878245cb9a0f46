package io.deli.lab.bench;

import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.ProgressListener;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import io.deli.strategy.IndexTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The tables of the benchmark: the same rows in each, four regions, a 20-byte value. */
final class BenchTables {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] QUALIFIER = Bytes.toBytes("v");
  static final TableName PLAIN = TableName.valueOf("deli_bench_plain");
  static final TableName DEFERRED = TableName.valueOf("deli_bench_deferred");

  /** Whose entries region servers write. */
  static final TableName SERVED = TableName.valueOf("deli_bench_served");

  static final TableName IN_PLACE = TableName.valueOf("deli_bench_in_place");
  static final String INDEX = "by_v";

  private final Connection connection;
  private final Scale scale;

  BenchTables(Connection connection, Scale scale) {
    this.connection = connection;
    this.scale = scale;
  }

  static byte[] key(int number) {
    return Bytes.toBytes("key%09d".formatted(number));
  }

  static byte[] value(int number) {
    return Bytes.toBytes("value%015d".formatted(number));
  }

  static Put put(int key, int value) {
    return new Put(key(key)).addColumn(FAMILY, QUALIFIER, value(value));
  }

  /** The index that the in-place arm keeps by hand, with the same entries and table settings. */
  static Index inPlaceIndex() {
    return Index.of(IN_PLACE, definition());
  }

  private static IndexDefinition definition() {
    return IndexDefinition.on(INDEX, Column.of(FAMILY, QUALIFIER));
  }

  /** Drops what an earlier run left and creates all tables anew, empty. */
  void create() throws IOException {
    drop();
    DeliAdmin deli = DeliAdmin.of(connection);
    try (Admin admin = connection.getAdmin()) {
      for (TableName name : List.of(PLAIN, DEFERRED, SERVED, IN_PLACE)) {
        admin.createTable(descriptor(name), keySplits());
      }
      CreateIndexOptions split = CreateIndexOptions.DEFAULT.withSplits(valueSplits());
      deli.createIndex(DEFERRED, definition(), split);
      deli.createIndex(SERVED, definition().withMaintenance(Maintenance.SERVER), split);
      TableDescriptor index = IndexTables.descriptor(admin.getDescriptor(IN_PLACE), definition());
      admin.createTable(index, indexSplits());
    }
  }

  /** Flushes and compacts the tables with an index, collecting garbage where DELI keeps it. */
  void compact() throws IOException {
    for (TableName table : List.of(DEFERRED, IN_PLACE, inPlaceIndex().table())) {
      DeliAdmin.of(connection).collect(table, ProgressListener.NONE);
    }
  }

  void drop() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      List<TableName> tables = new ArrayList<>(List.of(PLAIN, DEFERRED, SERVED, IN_PLACE));
      for (TableName indexed : List.of(DEFERRED, SERVED, IN_PLACE)) {
        tables.add(Index.of(indexed, definition()).table());
      }
      for (TableName table : tables) {
        if (admin.tableExists(table)) {
          if (admin.isTableEnabled(table)) {
            admin.disableTable(table);
          }
          admin.deleteTable(table);
        }
      }
    }
  }

  private static TableDescriptor descriptor(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
        .build();
  }

  private byte[][] keySplits() {
    return splits(scale.keys()).mapToObj(BenchTables::key).toArray(byte[][]::new);
  }

  private List<byte[]> valueSplits() {
    return splits(scale.values()).mapToObj(BenchTables::value).toList();
  }

  private byte[][] indexSplits() {
    Index index = inPlaceIndex();
    return valueSplits().stream()
        .map(value -> index.codec().startRow(TokenRange.only(value)))
        .toArray(byte[][]::new);
  }

  private static IntStream splits(int range) {
    return IntStream.range(1, Scale.REGIONS).map(i -> (int) ((long) range * i / Scale.REGIONS));
  }
}
