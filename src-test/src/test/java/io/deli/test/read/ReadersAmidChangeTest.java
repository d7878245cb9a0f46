package io.deli.test.read;

import static io.deli.test.cluster.TestTable.COLUMN;
import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.config.DeliSettings;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Readers and writers at work while regions flush, compact, split and move, and while repair and
 * collection delete entries.
 */
class ReadersAmidChangeTest {
  private static final List<String> INDEXES = List.of("by_key", "by_time");
  private static final byte[][] VALUES = {Bytes.toBytes("x"), Bytes.toBytes("y")};
  private static final int STEADY = 40;
  private static final int WRITERS = 2;
  private static final long GRACE = 6_000;
  private static final long DURATION = 20_000;

  private final LongAdder steps = new LongAdder();
  private long began;
  private TestTable indexed;
  private TableName name;
  @AutoClose private DeliConnection connection;

  /** What one thread does again and again. */
  private interface Step {
    void run(DeliTable table, Random random) throws Exception;
  }

  @BeforeEach
  void create() throws Exception {
    indexed =
        TestTable.createAsOperator(
            TestTable.describe("amid", 1)
                .setValue(DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE)),
            List.of(
                IndexDefinition.on("by_key", COLUMN),
                IndexDefinition.on("by_time", COLUMN).withOrder(EntryOrder.BY_TIME)));
    name = indexed.name();
    connection = MiniCluster.connect(DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE));
    try (DeliTable client = connection.getTable(name)) {
      for (int i = 0; i < STEADY; i++) {
        client.put(put(steady(i), VALUES[0]));
      }
    }
    began = System.currentTimeMillis();
  }

  @Test
  void everyReadIsRight() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      String rows = "w" + i + "-";
      running.add(
          threads.submit(() -> repeat((table, random) -> writeAndRead(table, rows, random))));
      running.add(threads.submit(() -> repeat(ReadersAmidChangeTest::readSteadyRows)));
    }
    running.add(threads.submit(() -> repeat((table, random) -> disturb(random))));
    for (Future<?> each : running) {
      each.get();
    }
    threads.shutdown();

    MiniCluster.utility().waitUntilNoRegionsInTransition();
    connection.getDeliAdmin().collect(name, ProgressListener.NONE);
    // What lost to another value at one timestamp is left to repair.
    MiniCluster.utility().waitFor(60_000, 500, this::indexesEqualBase);
    assertThat(steps.sum()).isGreaterThan(100);
    assertThat(connection.readMetrics().reported()).isPositive();
  }

  private Void repeat(Step step) throws Exception {
    Random random = new Random(Thread.currentThread().getId());
    try (DeliTable table = connection.getTable(name)) {
      while (System.currentTimeMillis() < began + DURATION) {
        step.run(table, random);
        steps.increment();
      }
    }
    return null;
  }

  /** Nobody else writes these rows, so what the base says of one is what an index must say. */
  private void writeAndRead(DeliTable table, String rows, Random random) throws Exception {
    String row = rows + random.nextInt(10);
    try {
      write(table, row, random);
    } catch (IOException e) {
      // One that failed may have happened or not; the base knows.
    }
    String index = INDEXES.get(random.nextInt(INDEXES.size()));
    byte[] value = VALUES[random.nextInt(VALUES.length)];
    byte[] before = current(table, row);
    boolean found = TestTable.find(table, ValueQuery.on(index).equalTo(value)).contains(row);
    // A compaction may take a version that the delete of a newer one had brought back, and a write
    // that failed may be done yet: then the base says one thing before and another afterwards.
    byte[] after = current(table, row);
    assertThat(found)
        .as(
            () ->
                "%s among %s of %s; base %s"
                    .formatted(row, Bytes.toString(value), index, everything(table, index, row)))
        .isIn(Bytes.equals(value, before), Bytes.equals(value, after));
  }

  private static byte[] current(DeliTable table, String row) throws IOException {
    return table.get(new Get(Bytes.toBytes(row))).getValue(FAMILY, QUALIFIER);
  }

  /** All cells, deleted or not, of a row and of its entries. */
  private static String everything(DeliTable table, String index, String row) {
    byte[] key = Bytes.toBytes(row);
    Scan ofRow = new Scan().withStartRow(key).withStopRow(key, true);
    Scan ofIndex =
        new Scan().setFilter(new RowFilter(CompareOperator.EQUAL, new SubstringComparator(row)));
    return cells(table.getName(), ofRow)
        + ", entries "
        + cells(TableName.valueOf(table.getName() + "." + index), ofIndex);
  }

  private static String cells(TableName name, Scan scan) {
    try {
      return TestTable.cells(MiniCluster.connection(), name, scan.setRaw(true).readAllVersions())
          .stream()
          .map(cell -> cell + "=" + Bytes.toStringBinary(CellUtil.cloneValue(cell)))
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private void write(DeliTable table, String row, Random random) throws IOException {
    byte[] key = Bytes.toBytes(row);
    byte[] value = VALUES[random.nextInt(VALUES.length)];
    byte[] other = VALUES[random.nextInt(VALUES.length)];
    switch (random.nextInt(8)) {
      case 0 -> table.delete(new Delete(key));
      case 1 -> table.delete(new Delete(key).addColumn(FAMILY, QUALIFIER));
      case 2 -> {
        // Few, so that values meet at one timestamp.
        long timestamp = began + random.nextInt(20) * 1000L;
        table.put(new Put(key).addColumn(FAMILY, QUALIFIER, timestamp, value));
      }
      case 3 ->
          table.checkAndMutate(
              CheckAndMutate.newBuilder(key)
                  .ifEquals(FAMILY, QUALIFIER, other)
                  .build(put(row, value)));
      case 4 ->
          table.mutateRow(
              RowMutations.of(List.of(new Delete(key).addColumns(FAMILY, OTHER), put(row, value))));
      default -> table.put(put(row, value));
    }
  }

  private static void readSteadyRows(DeliTable table, Random random) throws IOException {
    ValueQuery query = ValueQuery.on(INDEXES.get(random.nextInt(2))).between(VALUES[0], VALUES[1]);
    List<String> found = TestTable.find(table, random.nextBoolean() ? query : query.reversed());
    assertThat(found.stream().filter(row -> row.startsWith("steady")))
        .hasSize(STEADY)
        .doesNotHaveDuplicates();
  }

  private void disturb(Random random) throws Exception {
    List<TableName> tables = new ArrayList<>(List.of(name));
    INDEXES.forEach(index -> tables.add(TableName.valueOf(name + "." + index)));
    TableName table = tables.get(random.nextInt(tables.size()));
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      List<RegionInfo> regions = admin.getRegions(table);
      RegionInfo region = regions.get(random.nextInt(regions.size()));
      switch (random.nextInt(5)) {
        case 0 -> admin.flush(table);
        case 1 -> MiniCluster.utility().compact(table, false);
        case 2 -> MiniCluster.utility().compact(table, true);
        case 3 -> admin.move(region.getEncodedNameAsBytes());
        default -> {
          if (regions.size() < 4) {
            for (RegionInfo each : regions) {
              MiniCluster.forgetMoves(each);
            }
            admin.split(table);
          }
        }
      }
    } catch (IOException e) {
      // The region is on its way from an earlier disturbance, or too small to split.
    }
  }

  private boolean indexesEqualBase() throws IOException {
    boolean equal = true;
    try (DeliTable table = connection.getTable(name)) {
      for (Index index : indexed.indexes()) {
        TestTable one = new TestTable(indexed.plain(), name, List.of(index));
        TestTable.find(table, ValueQuery.on(index.name()).between(VALUES[0], VALUES[1]));
        equal &= one.entrySet().equals(one.justified());
      }
    }
    return equal;
  }

  private static Put put(String row, byte[] value) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, value);
  }

  private static String steady(int i) {
    return "steady" + i;
  }
}
