package io.deli.test.gc;

import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Regions with the same history, one of them with DELI and an index table in the cluster. Rows are
 * told apart by round.
 */
final class IndexedTwins implements AutoCloseable {
  private static final int ROWS = 40;
  private static final IndexDefinition DEFINITION =
      IndexDefinition.on("by_q", Column.of(RetentionHistory.FAMILY, RetentionHistory.INDEXED));

  private final TableDescriptor table;
  private final Index index;
  private final RetentionHistory history;
  private final int round;
  private final TwinRegion deli;
  private final List<TwinRegion> twins = new ArrayList<>();

  /**
   * Opens the regions.
   *
   * @param values more of the table's descriptor: key, value, key, value ...
   */
  IndexedTwins(TableName base, RetentionHistory history, int round, List<String> values)
      throws IOException {
    this.history = history;
    this.round = round;
    index = Index.of(base, DEFINITION);
    table = table(base, history, values);
    deli = open(TwinRegion.Kind.DELI);
  }

  /** Creates the index table for all rounds, with this coprocessor if any. */
  static void createIndexTable(TableName base, String... coprocessors) throws IOException {
    TableDescriptor of = table(base, new RetentionHistory(new Random(0), Set.of(), 0), List.of());
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(IndexTables.descriptor(of, DEFINITION));
    for (String coprocessor : coprocessors) {
      builder.setCoprocessor(coprocessor);
    }
    MiniCluster.utility().getAdmin().createTable(builder.build());
  }

  private static TableDescriptor table(
      TableName base, RetentionHistory history, List<String> values) {
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(base)
            .setColumnFamily(history.family())
            .setValue("deli.gc.window.bytes", Long.toString(history.windowBytes()))
            .setValue("deli.gc.mode", history.mode().text());
    for (int i = 0; i < values.size(); i += 2) {
      builder.setValue(values.get(i), values.get(i + 1));
    }
    return IndexDefinitions.put(builder, DEFINITION).build();
  }

  /** Opens one more region, to be led through the same history. */
  TwinRegion open(TwinRegion.Kind kind) throws IOException {
    TwinRegion twin = TwinRegion.create(kind, table);
    twins.add(twin);
    return twin;
  }

  TwinRegion deli() {
    return deli;
  }

  @Override
  public String toString() {
    return "round %d, %s, %s, window %s"
        .formatted(
            round,
            history.mode(),
            table.getColumnFamilies()[0],
            table.getValue("deli.gc.window.bytes"));
  }

  void write(int step) throws IOException {
    List<Put> entries = new ArrayList<>();
    List<Mutation> writes = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      for (Mutation write : history.writes(Bytes.toBytes("r" + round + "-" + row), step)) {
        if (write instanceof Put put) {
          entries.addAll(identified(put, history.random().nextLong()));
        }
        writes.add(write);
      }
    }
    try (Table to = MiniCluster.connection().getTable(index.table())) {
      to.put(entries);
    }
    for (TwinRegion twin : twins) {
      for (Mutation write : writes) {
        twin.apply(write instanceof Put put ? new Put(put) : write);
      }
    }
  }

  private List<Put> identified(Put put, long random) {
    WriteId id = WriteId.of(System.currentTimeMillis(), random);
    put.setAttribute(WriteId.ATTRIBUTE, id.toBytes());
    List<Put> entries = new ArrayList<>();
    for (Cell cell : put.get(RetentionHistory.FAMILY, RetentionHistory.INDEXED)) {
      entries.addAll(
          index
              .strategy()
              .write(
                  index,
                  new BaseVersion(
                      put.getRow(), CellUtil.cloneValue(cell), cell.getTimestamp(), id)));
    }
    return entries;
  }

  /** Flushes or compacts; says what. */
  String act() throws Exception {
    int action = history.random().nextInt(6);
    for (TwinRegion twin : twins) {
      switch (action) {
        case 0 -> twin.compactInMemory();
        case 1 -> twin.flush();
        case 2 -> twin.major();
        case 3 -> {
          twin.flush();
          twin.major();
        }
        default -> {
          twin.flush();
          twin.minor();
        }
      }
    }
    return List.of("in memory", "flush", "major", "flush+major", "minor", "minor").get(action);
  }

  /** Compacts so often that no garbage may be left. */
  void collect() throws Exception {
    deli.flush();
    // Once more, for versions that cells with a time to live of their own had superseded.
    for (int i = 0; i < history.mode().compactions() + 1; i++) {
      deli.major();
    }
  }

  /** The entries of the living versions. */
  List<String> justified() throws IOException {
    return entriesOf(deli.scan(new Scan().readAllVersions()));
  }

  /** The entries of all versions that lie in the region's files, dead ones included. */
  List<String> present() throws IOException {
    return entriesOf(deli.scan(new Scan().setRaw(true).readAllVersions()));
  }

  private List<String> entriesOf(List<Cell> cells) {
    List<String> entries = new ArrayList<>();
    for (Cell cell : cells) {
      if (cell.getType() == Cell.Type.Put && index.column().matches(cell)) {
        WriteId id =
            PrivateCellUtil.getTag(cell, WriteId.TAG_TYPE)
                .map(tag -> WriteId.from(Tag.cloneValue(tag)))
                .orElseThrow();
        entries.add(
            text(
                new Entry(
                    CellUtil.cloneValue(cell), CellUtil.cloneRow(cell), cell.getTimestamp(), id)));
      }
    }
    return entries.stream().sorted().toList();
  }

  /** The entries that the index has. */
  List<String> entries() throws IOException {
    return new TestTable(MiniCluster.connection(), index.baseTable(), List.of(index))
        .read(index).stream()
            .filter(entry -> Bytes.toString(entry.key()).startsWith("r" + round + "-"))
            .map(IndexedTwins::text)
            .sorted()
            .toList();
  }

  private static String text(Entry entry) {
    return TestTable.text(entry) + " of write " + entry.writeId();
  }

  @Override
  public void close() throws IOException {
    for (TwinRegion twin : twins) {
      twin.close();
    }
  }
}
