package io.deli.test.strategy;

import static io.deli.test.cluster.TestTable.COLUMN;
import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.strategy.ScannedTable.row;
import static io.deli.test.strategy.ScannedTable.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import io.deli.query.Point;
import io.deli.test.cluster.Background;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestObserver;
import io.deli.test.cluster.TestTable;
import io.deli.test.model.Upheavals;
import io.deli.test.strategy.ScannedTable.Metric;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lookups read of memory what its index names, and that has all that was written. */
class MemoryIndexTest {
  private static final int ROWS = 5_000;
  // Small, so that memory is compacted every few hundred rows.
  private static final long FLUSH_SIZE = 4L << 20;
  private static final int WRITERS = 4;
  private static final int WRITES = 150;

  @AutoClose private ScannedTable table;

  private static ScannedTable create(String strategy, MemoryCompactionPolicy policy, int versions)
      throws IOException {
    TableName name =
        TestTable.createAsOperator(
                TestTable.describe(
                        MiniCluster.uniqueTable("memory"),
                        family -> family.setInMemoryCompaction(policy).setMaxVersions(versions))
                    .setMemStoreFlushSize(FLUSH_SIZE)
                    .setValue("hbase.memstore.inmemoryflush.threshold.factor", "0.01"),
                List.of(TestTable.byQ().withStrategy(strategy)))
            .name();
    return ScannedTable.open(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"embedded", "next"})
  void anEntryIsReadForAHit(String strategy) throws IOException {
    table = ScannedTable.create(strategy, "memory");
    table.write(ROWS, i -> true, ScannedTable::value);
    long whole = Metric.MEMORY_SEARCHED_WHOLE.now();
    long read = Metric.MEMORY_READ.now();
    assertThat(table.find(value(777))).containsExactly(row(777));
    assertThat(Metric.MEMORY_READ.now() - read).isEqualTo(1);
    assertThat(table.find(value(ROWS))).isEmpty();
    assertThat(Metric.MEMORY_READ.now() - read).isEqualTo(1);
    ValueQuery range = ValueQuery.on(INDEX).between(value(1_000), value(1_009));
    assertThat(table.find(range)).hasSize(10);
    assertThat(Metric.MEMORY_READ.now() - read).isEqualTo(11);
    assertThat(table.find(range.mostRecent(2))).containsExactly(row(1_009), row(1_008));
    assertThat(Metric.MEMORY_READ.now() - read).isEqualTo(21);
    assertThat(Metric.MEMORY_SEARCHED_WHOLE.now()).isEqualTo(whole);
  }

  @Test
  void theNewestEntriesOfAValueAreReadAlone() throws IOException {
    table = ScannedTable.create("embedded", "newest");
    table.write(ROWS, i -> true, i -> value(0));
    table.table().delete(new Delete(Bytes.toBytes(row(ROWS - 2))));
    long read = Metric.MEMORY_READ.now();
    assertThat(table.find(ValueQuery.on(INDEX).equalTo(value(0)).mostRecent(3)))
        .containsExactly(row(ROWS - 1), row(ROWS - 3), row(ROWS - 4));
    // And of each run the first that is older.
    assertThat(Metric.MEMORY_READ.now() - read).isBetween(5L, 7L);
  }

  @Test
  void pointsInARectangleAreRead() throws IOException {
    table = ScannedTable.ofPoints("next", "memory");
    table.write(ROWS, i -> true, i -> new Point(i, i).toBytes());
    long read = Metric.MEMORY_READ.now();
    ValueQuery within =
        ValueQuery.on(INDEX)
            .between(new Point(1_000, 1_000).toBytes(), new Point(1_009, 1_009).toBytes());
    assertThat(table.find(within)).hasSize(10).startsWith(row(1_000)).endsWith(row(1_009));
    assertThat(Metric.MEMORY_READ.now() - read).isEqualTo(10);
  }

  /** Then as many as fill a page are found sooner by looking at the cells. */
  @Test
  void ofVeryManyMatchesEveryCellIsLookedAt() throws IOException {
    table = ScannedTable.create("embedded", "many");
    int rows = 10_001;
    table.write(rows, i -> true, ScannedTable::value);
    long whole = Metric.MEMORY_SEARCHED_WHOLE.now();
    assertThat(table.find(ValueQuery.on(INDEX).atLeast(value(0)))).hasSize(rows);
    assertThat(Metric.MEMORY_SEARCHED_WHOLE.now()).isGreaterThan(whole);
  }

  /** Whose keys the scan would keep until its end. */
  @Test
  void ofManyLongKeysEveryCellIsLookedAt() throws IOException {
    table = ScannedTable.create("embedded", "keys");
    int rows = 40;
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      puts.add(
          new Put(Bytes.toBytes(row(i) + "x".repeat(30_000)))
              .addColumn(COLUMN.family(), COLUMN.qualifier(), value(0)));
    }
    table.table().put(puts);
    long whole = Metric.MEMORY_SEARCHED_WHOLE.now();
    assertThat(table.find(value(0))).hasSize(rows);
    assertThat(Metric.MEMORY_SEARCHED_WHOLE.now()).isGreaterThan(whole);
  }

  /** Of rows that turn out to have another value, no more keys are held than memory allows. */
  @Test
  void ofManyLongKeysTheNewestAreNotSearchedToTheEnd() throws IOException {
    table = ScannedTable.create("embedded", "longs");
    for (byte[] value : List.of(value(0), value(1))) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        puts.add(
            new Put(Bytes.toBytes(row(i) + "x".repeat(30_000)))
                .addColumn(COLUMN.family(), COLUMN.qualifier(), value));
      }
      table.table().put(puts);
    }
    long whole = Metric.MEMORY_SEARCHED_WHOLE.now();
    assertThat(table.find(ValueQuery.on(INDEX).equalTo(value(0)).mostRecent(1))).isEmpty();
    assertThat(Metric.MEMORY_SEARCHED_WHOLE.now()).isGreaterThan(whole);
  }

  @Test
  void flushesAndTheEndOfARegionGiveRoomBack() throws IOException {
    table = ScannedTable.create("embedded", "room");
    long bytes = Metric.MEMORY_BYTES.now();
    table.write(ROWS, i -> true, ScannedTable::value);
    assertThat(Metric.MEMORY_BYTES.now() - bytes).isBetween(40L * ROWS, 80L * ROWS);
    table.flush();
    assertThat(Metric.MEMORY_BYTES.now()).isEqualTo(bytes);
    table.write(ROWS, i -> true, i -> value(i + 1));
    assertThat(Metric.MEMORY_BYTES.now()).isGreaterThan(bytes);
    MiniCluster.utility().deleteTable(table.name());
    assertThat(Metric.MEMORY_BYTES.now()).isEqualTo(bytes);
  }

  private static Put put(int number) {
    return new Put(Bytes.toBytes(row(number)))
        .addColumn(COLUMN.family(), COLUMN.qualifier(), value(number));
  }

  private static RowMutations mutations(int number) throws IOException {
    return RowMutations.of(
        List.of(
            new Delete(Bytes.toBytes(row(number))).addColumns(COLUMN.family(), Bytes.toBytes("x")),
            put(number)));
  }

  private static CheckAndMutate.Builder ifAbsent(int number) {
    return CheckAndMutate.newBuilder(Bytes.toBytes(row(number)))
        .ifNotExists(COLUMN.family(), COLUMN.qualifier());
  }

  private HRegion region() {
    return MiniCluster.regions(table.name()).get(0);
  }

  /** Each writes another row, with the value of its number. */
  private int writeInEveryWay(int first) throws Exception {
    int number = first;
    try (Table plain = MiniCluster.connection().getTable(table.name())) {
      List<Write> ways = new ArrayList<>();
      ways.add(n -> plain.put(put(n)));
      ways.add(n -> plain.put(List.of(put(n))));
      ways.add(n -> plain.put(put(n).setDurability(Durability.SKIP_WAL)));
      ways.add(n -> plain.put(put(n).setDurability(Durability.ASYNC_WAL)));
      ways.add(n -> plain.batch(List.of(put(n)), new Object[1]));
      ways.add(n -> plain.batch(List.of(mutations(n)), new Object[1]));
      ways.add(n -> plain.mutateRow(mutations(n)));
      ways.add(n -> plain.checkAndMutate(ifAbsent(n).build(put(n))));
      ways.add(n -> plain.checkAndMutate(ifAbsent(n).build(mutations(n))));
      ways.add(n -> plain.append(append(n)));
      ways.add(n -> plain.batch(List.of(append(n)), new Object[1]));
      // As other coprocessors write.
      ways.add(n -> region().put(put(n)));
      ways.add(n -> region().batchMutate(new Mutation[] {put(n)}));
      byte[] row = Bytes.toBytes("locked");
      ways.add(
          n -> region().mutateRowsWithLocks(List.of(put(n)), List.of(put(n).getRow(), row), 0, 0));
      for (Write way : ways) {
        way.write(number);
        assertThat(table.find(value(number))).containsExactly(row(number));
        number++;
      }
      for (long sum = 1; sum <= 2; sum++) {
        byte[] counter = Bytes.toBytes("counter" + first);
        plain.increment(new Increment(counter).addColumn(COLUMN.family(), COLUMN.qualifier(), 1L));
        assertThat(table.find(Bytes.toBytes(sum))).contains(Bytes.toString(counter));
      }
    }
    return number;
  }

  private static Append append(int number) {
    return new Append(Bytes.toBytes(row(number)))
        .addColumn(COLUMN.family(), COLUMN.qualifier(), value(number));
  }

  /** Writes the row of a number. */
  private interface Write {
    void write(int number) throws Exception;
  }

  private void assertFindsAll(int end) throws IOException {
    for (int i = 0; i < end; i++) {
      assertThat(table.find(value(i))).containsExactly(row(i));
    }
  }

  /** With {@code next}, filters of files tell most lookups that files have nothing. */
  @ParameterizedTest
  @CsvSource({"embedded, NONE", "embedded, BASIC", "embedded, EAGER", "next, NONE", "next, EAGER"})
  void whateverIsWrittenIsFoundAtOnce(String strategy, MemoryCompactionPolicy policy)
      throws Exception {
    // Of one version, increments replace what is in memory.
    table = create(strategy, policy, policy == MemoryCompactionPolicy.NONE ? 1 : 3);
    long whole = Metric.MEMORY_SEARCHED_WHOLE.now();
    int end = writeInEveryWay(0);
    table.write(ROWS, i -> i >= 1_000, ScannedTable::value);
    HStore store = region().getStores().get(0);
    if (policy != MemoryCompactionPolicy.NONE) {
      MiniCluster.utility().waitFor(30_000, 20, () -> partsOfMemory(store) > 1);
    }
    int second = writeInEveryWay(end);
    assertFindsAll(second);
    assertThat(table.find(value(ROWS - 1))).containsExactly(row(ROWS - 1));
    assertThat(Metric.MEMORY_SEARCHED_WHOLE.now()).isEqualTo(whole);
    table.flush();
    int third = writeInEveryWay(second);
    assertFindsAll(third);
    assertThat(Metric.MEMORY_SEARCHED_WHOLE.now()).isEqualTo(whole);
  }

  private static int partsOfMemory(HStore store) throws IOException {
    byte[] all = HConstants.EMPTY_BYTE_ARRAY;
    try {
      var parts =
          store.getScanners(
              List.of(), false, false, false, null, all, true, all, false, 0, true, false);
      parts.forEach(part -> part.close());
      return parts.size();
    } catch (IllegalStateException e) {
      // HBase has just merged parts, and let go of those that it was about to answer with.
      return 0;
    }
  }

  /** The log is replayed, and flushed, before the region is open. */
  @ParameterizedTest
  @ValueSource(strings = {"embedded", "next"})
  void whatWasInMemoryIsFoundWhenItsServerDied(String strategy) throws Exception {
    table = create(strategy, MemoryCompactionPolicy.NONE, 1);
    for (int i = 0; i < 20; i++) {
      table.table().put(put(i));
    }
    new Upheavals(new Random(1)).kill(table.name());
    assertFindsAll(20);
    long whole = Metric.MEMORY_SEARCHED_WHOLE.now();
    assertFindsAll(writeInEveryWay(20));
    assertThat(Metric.MEMORY_SEARCHED_WHOLE.now()).isEqualTo(whole);
  }

  /** Brought by a setting. */
  public static final class OtherObserver implements TestObserver {}

  /** HBase has others for an open region when their settings change, and no hook tells them. */
  @ParameterizedTest
  @ValueSource(strings = {"embedded", "next"})
  void theNextCoprocessorOfARegionTakesItsIndexesOver(String strategy) throws Exception {
    table = ScannedTable.create(strategy, "exchanged");
    table.write(100, i -> true, ScannedTable::value);
    RegionCoprocessorHost before = region().getCoprocessorHost();
    region()
        .onConfigurationChange(
            MiniCluster.configuration(
                CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY, OtherObserver.class.getName()));
    assertThat(region().getCoprocessorHost()).isNotSameAs(before);
    long memoryWhole = Metric.MEMORY_SEARCHED_WHOLE.now();
    long filesWhole = Metric.SEARCHED_WHOLE.now();
    long built = Metric.BUILT.now();
    assertFindsAll(100);
    table.flush();
    table.write(200, i -> i >= 100, ScannedTable::value);
    assertFindsAll(200);
    assertThat(Metric.MEMORY_SEARCHED_WHOLE.now()).isEqualTo(memoryWhole);
    assertThat(Metric.SEARCHED_WHOLE.now()).isEqualTo(filesWhole);
    assertThat(Metric.BUILT.now()).isEqualTo(built);
  }

  /** Of its writers, each looks up what it wrote as soon as that is acknowledged. */
  @ParameterizedTest
  @CsvSource({"embedded, NONE", "embedded, BASIC", "next, NONE", "next, BASIC"})
  void whatIsAcknowledgedIsFoundAmidWritesAndFlushes(String strategy, MemoryCompactionPolicy policy)
      throws Exception {
    table = create(strategy, policy, 1);
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int first = i * WRITES;
      writers.add(Background.run(() -> writeAndFind(first)));
    }
    CompletableFuture<Void> all =
        CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new));
    while (!all.isDone()) {
      region().flush(true);
    }
    all.get();
    assertFindsAll(WRITERS * WRITES);
  }

  private void writeAndFind(int first) throws IOException {
    for (int i = first; i < first + WRITES; i++) {
      table.table().put(put(i));
      assertThat(table.find(value(i))).containsExactly(row(i));
    }
  }
}
