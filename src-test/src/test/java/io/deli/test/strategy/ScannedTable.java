package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.test.cluster.Counters;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of small blocks with an embedded index, to see what lookups read of it. */
final class ScannedTable implements AutoCloseable {
  static final Column COLUMN = Column.parse("f:q");
  static final String INDEX = "by_value";

  private static final int BLOCK = 1 << 10;
  private static final byte[] PADDING = new byte[100];

  private final TableName name;
  private final DeliConnection connection;
  private final DeliTable table;

  private ScannedTable(TableName name) throws IOException {
    this.name = name;
    connection = MiniCluster.connect();
    table = connection.getTable(name);
  }

  static ScannedTable create(String strategy, String stem, String... splits) throws IOException {
    return create(strategy, stem, 10, splits);
  }

  static ScannedTable create(String strategy, String stem, int bitsPerToken, String... splits)
      throws IOException {
    return create(definition(strategy), stem, bitsPerToken, splits);
  }

  static ScannedTable ofPoints(String strategy, String stem) throws IOException {
    return create(definition(strategy).withType(ValueType.POINT), stem, 10);
  }

  private static IndexDefinition definition(String strategy) {
    return IndexDefinition.on(INDEX, COLUMN).withStrategy(strategy);
  }

  private static ScannedTable create(
      IndexDefinition index, String stem, int bitsPerToken, String... splits) throws IOException {
    TableName name = MiniCluster.uniqueTable(stem);
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setValue("deli.embedded.bits.per.key", String.valueOf(bitsPerToken))
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(COLUMN.family())
                      .setBlocksize(BLOCK)
                      .build())
              .build(),
          Arrays.stream(splits).map(Bytes::toBytes).toArray(byte[][]::new));
    }
    DeliAdmin.of(MiniCluster.connection()).createIndex(name, index);
    return new ScannedTable(name);
  }

  /** The table of that name, which has the index. */
  static ScannedTable open(TableName name) throws IOException {
    return new ScannedTable(name);
  }

  TableName name() {
    return name;
  }

  DeliTable table() {
    return table;
  }

  static String row(int number) {
    return "row%06d".formatted(number);
  }

  static byte[] value(int number) {
    return Bytes.toBytes("value%06d".formatted(number));
  }

  /** Writes rows below a number, those chosen, at times that grow with it. */
  void write(int rows, IntPredicate chosen, IntFunction<byte[]> values) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      if (chosen.test(i)) {
        puts.add(
            new Put(Bytes.toBytes(row(i)))
                .addColumn(COLUMN.family(), COLUMN.qualifier(), i + 1, values.apply(i))
                .addColumn(COLUMN.family(), Bytes.toBytes("padding"), PADDING));
      }
    }
    table.put(puts);
  }

  /** The same, and flushes them. */
  void load(int rows, IntPredicate chosen, IntFunction<byte[]> values) throws IOException {
    write(rows, chosen, values);
    flush();
  }

  /** Divides rows among as many files, each of which spans all of them. */
  void loadOverlapping(int files, int rows, IntFunction<byte[]> values) throws IOException {
    for (int file = 0; file < files; file++) {
      int rest = file;
      load(rows, i -> i % files == rest, values);
    }
  }

  void flush() throws IOException {
    MiniCluster.utility().flush(name);
  }

  List<String> find(ValueQuery query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ValueScanner hits = table.readValue(query)) {
      for (ValueHit hit : hits) {
        rows.add(Bytes.toString(hit.row()));
      }
    }
    return rows;
  }

  List<String> find(byte[] value) throws IOException {
    return find(ValueQuery.on(INDEX).equalTo(value));
  }

  List<HStoreFile> files() {
    List<HStoreFile> files = new ArrayList<>();
    for (HRegion region : MiniCluster.utility().getHBaseCluster().getRegions(name)) {
      for (HStore store : region.getStores()) {
        files.addAll(store.getStorefiles());
      }
    }
    return files;
  }

  /** The data blocks of all files. */
  long blocks() {
    return files().stream()
        .mapToLong(file -> file.getReader().getHFileReader().getTrailer().getDataIndexCount())
        .sum();
  }

  /**
   * Counts the blocks that HBase reads for a query: the least of a few tries, for other tables are
   * read, too.
   */
  long readByHBase(ValueQuery query) throws IOException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long before = HFile.DATABLOCK_READ_COUNT.sum();
      assertThat(find(query)).isNotEmpty();
      least = Math.min(least, HFile.DATABLOCK_READ_COUNT.sum() - before);
    }
    return least;
  }

  static long read() {
    return Counters.value("lookupBlocksRead");
  }

  static long skipped() {
    return Counters.value("lookupBlocksSkipped");
  }

  static long indexBlocksRead() {
    return Counters.value("lookupIndexBlocksRead");
  }

  static long built() {
    return Counters.value("fileIndexesBuilt");
  }

  static long loaded() {
    return Counters.value("fileIndexesLoaded");
  }

  static long searchedWhole() {
    return Counters.value("lookupFilesSearchedWhole");
  }

  static long memoryRead() {
    return Counters.value("lookupMemoryRead");
  }

  static long memorySearchedWhole() {
    return Counters.value("lookupMemorySearchedWhole");
  }

  static long memoryIndexBytes() {
    return Counters.value("memoryIndexBytes");
  }

  @Override
  public void close() throws IOException {
    table.close();
    connection.close();
  }
}
