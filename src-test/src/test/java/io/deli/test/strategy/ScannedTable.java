package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.test.cluster.ClientTable;
import io.deli.test.cluster.Counters;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of small blocks with an embedded index, to see what lookups read of it. */
final class ScannedTable extends ClientTable {
  private static final int BLOCK = 1 << 10;
  private static final byte[] PADDING = new byte[100];

  private ScannedTable(TableName name) throws IOException {
    super(new TestTable(MiniCluster.connection(), name, List.of()));
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
    return byQ().withStrategy(strategy);
  }

  private static ScannedTable create(
      IndexDefinition index, String stem, int bitsPerToken, String... splits) throws IOException {
    TestTable table =
        createAsOperator(
            describe(MiniCluster.uniqueTable(stem), family -> family.setBlocksize(BLOCK))
                .setValue("deli.embedded.bits.per.key", String.valueOf(bitsPerToken)),
            List.of(index),
            Arrays.stream(splits).map(Bytes::toBytes).toArray(byte[][]::new));
    return new ScannedTable(table.name());
  }

  /** All rows but the last but one; the newest are in the last blocks of all files. */
  static ScannedTable ofOneValue(String strategy, int files, int rows) throws IOException {
    ScannedTable table = create(strategy, "newest");
    table.loadOverlapping(files, rows, i -> value(0));
    table.client().delete(new Delete(Bytes.toBytes(row(rows - 2))));
    return table;
  }

  /** The table of that name, which has the index. */
  static ScannedTable open(TableName name) throws IOException {
    return new ScannedTable(name);
  }

  @Override
  public DeliTable table() {
    return client();
  }

  static String row(int number) {
    return "row%06d".formatted(number);
  }

  static byte[] value(int number) {
    return Bytes.toBytes("value%06d".formatted(number));
  }

  /** As many values in no order, of which no two are nearer than a distance. */
  static List<byte[]> shuffledValues(int number, int distance) {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      values.add(value(distance * i));
    }
    Collections.shuffle(values, new Random(20240404));
    return values;
  }

  /** Writes rows below a number, those chosen, at times that grow with it. */
  void write(int rows, IntPredicate chosen, IntFunction<byte[]> values) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      if (chosen.test(i)) {
        puts.add(
            new Put(Bytes.toBytes(row(i)))
                .addColumn(FAMILY, QUALIFIER, i + 1, values.apply(i))
                .addColumn(FAMILY, Bytes.toBytes("padding"), PADDING));
      }
    }
    client().put(puts);
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

  List<String> find(byte[] value) throws IOException {
    return find(ValueQuery.on(INDEX).equalTo(value));
  }

  List<HStoreFile> files() {
    List<HStoreFile> files = new ArrayList<>();
    for (HRegion region : regions()) {
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

  /** One block of many is read for the value of one row, and of each file all but a few skipped. */
  void assertOneBlockRead(byte[] value, String row, int files) throws IOException {
    long blocks = blocks();
    assertThat(blocks).isGreaterThan(300);
    long read = Metric.READ.now();
    long skipped = Metric.SKIPPED.now();
    assertThat(find(value)).containsExactly(row);
    assertThat(Metric.READ.now() - read).isEqualTo(1);
    assertThat(Metric.SKIPPED.now() - skipped).isBetween(blocks - 2L * files, blocks);
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

  /** A count that region servers keep of their searches. */
  enum Metric {
    READ("lookupBlocksRead"),
    SKIPPED("lookupBlocksSkipped"),
    INDEX_READ("lookupIndexBlocksRead"),
    BUILT("fileIndexesBuilt"),
    LOADED("fileIndexesLoaded"),
    SEARCHED_WHOLE("lookupFilesSearchedWhole"),
    MEMORY_READ("lookupMemoryRead"),
    MEMORY_SEARCHED_WHOLE("lookupMemorySearchedWhole"),
    MEMORY_BYTES("memoryIndexBytes");

    private final String key;

    Metric(String key) {
      this.key = key;
    }

    long now() {
      return Counters.value(key);
    }
  }
}
