package io.deli.test.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.config.DeliSettings;
import io.deli.entry.Entry;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Readers and writers at work while regions flush, compact, split and move, and while repair and
 * collection delete entries.
 */
class ReadersAmidChangeTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final byte[] OTHER = Bytes.toBytes("o");
  private static final Column COLUMN = Column.of(FAMILY, QUALIFIER);
  private static final List<String> INDEXES = List.of("by_key", "by_time");
  private static final byte[][] VALUES = {Bytes.toBytes("x"), Bytes.toBytes("y")};
  private static final int STEADY = 40;
  private static final int WRITERS = 2;
  private static final long GRACE = 6_000;
  private static final long DURATION = 20_000;

  private final LongAdder steps = new LongAdder();
  private long began;
  private TableName name;
  private DeliConnection connection;

  /** What one thread does again and again. */
  private interface Step {
    void run(DeliTable table, Random random) throws Exception;
  }

  @BeforeEach
  void create() throws Exception {
    name = MiniCluster.uniqueTable("amid");
    try (Admin hbase = MiniCluster.connection().getAdmin()) {
      hbase.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .setValue(DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE))
              .build());
    }
    Configuration configuration = MiniCluster.configuration();
    configuration.setLong(DeliSettings.REPAIR_GRACE.key(), GRACE);
    connection = MiniCluster.connect(configuration);
    DeliAdmin admin = connection.getDeliAdmin();
    admin.createIndex(name, IndexDefinition.on("by_key", COLUMN));
    admin.createIndex(name, IndexDefinition.on("by_time", COLUMN).withOrder(EntryOrder.BY_TIME));
    try (DeliTable table = connection.getTable(name)) {
      for (int i = 0; i < STEADY; i++) {
        table.put(put(steady(i), VALUES[0]));
      }
    }
    began = System.currentTimeMillis();
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
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
    boolean found = rows(table, ValueQuery.on(index).equalTo(value)).contains(row);
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
    List<String> cells = new ArrayList<>();
    try (Table table = MiniCluster.connection().getTable(name);
        ResultScanner scanner = table.getScanner(scan.setRaw(true).readAllVersions())) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          cells.add(cell + "=" + Bytes.toStringBinary(CellUtil.cloneValue(cell)));
        }
      }
    } catch (IOException e) {
      cells.add(e.toString());
    }
    return String.join("\n", cells);
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
    List<String> found = rows(table, random.nextBoolean() ? query : query.reversed());
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
    try (DeliTable table = connection.getTable(name)) {
      SortedSet<String> base = new TreeSet<>();
      try (ResultScanner scanner = table.getScanner(FAMILY)) {
        for (Result row : scanner) {
          for (Cell cell : row.getColumnCells(FAMILY, QUALIFIER)) {
            byte[] value = row.getValue(FAMILY, QUALIFIER);
            base.add(text(value, row.getRow(), cell.getTimestamp()));
          }
        }
      }
      boolean equal = true;
      for (Index index : Index.allOf(table.getDescriptor())) {
        rows(table, ValueQuery.on(index.name()).between(VALUES[0], VALUES[1]));
        equal &= entries(index).equals(base);
      }
      return equal;
    }
  }

  private static SortedSet<String> entries(Index index) throws IOException {
    SortedSet<String> entries = new TreeSet<>();
    try (Table table = MiniCluster.connection().getTable(index.table());
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          Entry entry = index.codec().decode(cell);
          entries.add(text(entry.token(), entry.key(), entry.timestamp()));
        }
      }
    }
    return entries;
  }

  private static String text(byte[] value, byte[] row, long timestamp) {
    return Bytes.toString(value) + ">" + Bytes.toString(row) + "@" + timestamp;
  }

  private static List<String> rows(DeliTable table, ValueQuery query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ValueScanner scanner = table.readValue(query)) {
      for (ValueHit hit : scanner) {
        rows.add(Bytes.toString(hit.row()));
      }
    }
    return rows;
  }

  private static Put put(String row, byte[] value) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, value);
  }

  private static String steady(int i) {
    return "steady" + i;
  }
}
