package io.deli.test.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.config.DeliSettings;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.service.RegionService;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;

/** A table with one index that is written through DELI and collected as by an operator. */
final class CollectedTable implements AutoCloseable {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final Column COLUMN = Column.of(FAMILY, QUALIFIER);

  /** Longer than any write takes. */
  private static final long GRACE_MILLIS = 2_000;

  private final TableName name;
  private final Index index;
  private final DeliConnection connection;
  private final DeliTable base;

  private CollectedTable(TableName name) throws IOException {
    this.name = name;
    index = Index.allOf(MiniCluster.connection().getTable(name).getDescriptor()).get(0);
    connection = MiniCluster.connect();
    base = connection.getTable(name);
  }

  /** The definition of an index, to be gone on with. */
  static IndexDefinition index() {
    return IndexDefinition.on("i", COLUMN);
  }

  static CollectedTable create(ColumnFamilyDescriptorBuilder family, IndexDefinition definition)
      throws IOException {
    TableName name = MiniCluster.uniqueTable("living");
    MiniCluster.utility()
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(family.build())
                .setValue(DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE_MILLIS))
                .setValue("hbase.store.delete.expired.storefile", "false")
                .build());
    DeliAdmin.of(MiniCluster.connection()).createIndex(name, definition);
    return new CollectedTable(name);
  }

  DeliTable base() {
    return base;
  }

  /** Writes the entries of a version that the base table does not get. */
  void putEntryOf(String row, long timestamp, String value) throws IOException {
    BaseVersion version =
        new BaseVersion(Bytes.toBytes(row), Bytes.toBytes(value), timestamp, WriteId.NONE);
    try (Table entries = MiniCluster.connection().getTable(index.table())) {
      entries.put(index.strategy().write(index, version));
    }
  }

  /** Deletes the entries of a value, as a collection or a writer does who dies before the end. */
  void retract(String value) throws IOException {
    if (!index.strategy().retraction().forgetsSuperseded()) {
      return;
    }
    try (Table entries = MiniCluster.connection().getTable(index.table())) {
      for (Entry entry : read()) {
        if (Bytes.toString(entry.token()).equals(value)) {
          entries.delete(new ArrayList<>(index.strategy().retract(index, entry)));
        }
      }
    }
  }

  private List<HRegion> regions() {
    return MiniCluster.utility().getMiniHBaseCluster().getRegions(name);
  }

  void flush() throws IOException {
    for (HRegion region : regions()) {
      region.flush(true);
    }
  }

  void compact() throws IOException {
    flush();
    for (HRegion region : regions()) {
      region.compact(true);
    }
  }

  /** Waits until no writer can be under way any more. */
  void awaitGrace() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(GRACE_MILLIS + 10);
  }

  /** Compacts all files of the index table; returns their bytes. */
  long compactIndex() throws IOException {
    long bytes = 0;
    for (HRegion region : MiniCluster.utility().getMiniHBaseCluster().getRegions(index.table())) {
      region.flush(true);
      region.compact(true);
      bytes += region.getStores().get(0).getStorefilesSize();
    }
    return bytes;
  }

  /** How long a compaction of the index waits for the table. */
  void setIndexTimeout(long millis) throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(index.table()))
              .setValue(DeliSettings.GC_TIMEOUT.key(), Long.toString(millis))
              .build());
    }
  }

  /** Asks the table, as a user, which entries are stale. */
  List<Integer> stale(User user) throws Exception {
    try (Connection asUser = ConnectionFactory.createConnection(MiniCluster.configuration(), user);
        Table table = asUser.getTable(name)) {
      return RegionService.positions(
          table
              .coprocessorService(HConstants.EMPTY_START_ROW)
              .callBlockingMethod(
                  RegionService.STALE,
                  null,
                  new RegionService.Entries("i", 1, read()).toMessage(),
                  RegionService.prototype(RegionService.STALE.getOutputType())));
    }
  }

  /** Has the table look into all entries when no writer can be under way any more. */
  void repair() throws Exception {
    flush();
    awaitGrace();
    int stale = stale(User.getCurrent()).size();
    assertThat(stale).isPositive();
    int before = read().size();
    try (Table table = MiniCluster.connection().getTable(name)) {
      for (Entry entry : read()) {
        table
            .coprocessorService(entry.key())
            .callBlockingMethod(
                RegionService.REPAIR,
                null,
                new RegionService.Suspect("i", entry).toMessage(),
                RegionService.NOTHING);
      }
    }
    MiniCluster.utility().waitFor(20_000, 10, () -> read().size() <= before - stale);
    assertNothingMissing();
  }

  /** Collects when no writer can be under way any more. */
  void collect() throws Exception {
    awaitGrace();
    DeliAdmin.of(MiniCluster.connection()).collect(name, ProgressListener.NONE);
  }

  private List<Entry> read() throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (Table table = MiniCluster.connection().getTable(index.table());
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      for (Result row : scanner) {
        entries.addAll(index.entries(row));
      }
    }
    return entries;
  }

  /** All entries, as {@code token>key@timestamp}; one that is there under two write ids, twice. */
  List<String> entries() throws IOException {
    return read().stream().map(CollectedTable::text).sorted().toList();
  }

  /** What a reader sees, newest first, as its entries. */
  List<String> living() throws IOException {
    List<String> living = new ArrayList<>();
    living(Integer.MAX_VALUE).forEach(living::add);
    return living.stream().sorted().toList();
  }

  private List<String> living(int newest) throws IOException {
    List<String> living = new ArrayList<>();
    try (Table table = MiniCluster.connection().getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      for (Result row : scanner) {
        for (Cell cell : row.listCells().stream().limit(newest).toList()) {
          index
              .entries(BaseVersion.of(cell, WriteId.NONE))
              .forEach(entry -> living.add(text(entry)));
        }
      }
    }
    return living;
  }

  private static String text(Entry entry) {
    return IndexedTable.entry(
        Bytes.toString(entry.token()), Bytes.toString(entry.key()), entry.timestamp());
  }

  private boolean knowsOnlyNewest() {
    return index.versions() == 1;
  }

  void assertNothingMissing() throws IOException {
    assertThat(entries()).containsAll(living(knowsOnlyNewest() ? 1 : Integer.MAX_VALUE));
  }

  /** Each living version has its entries once; nothing else has any. */
  void assertExact() throws IOException {
    if (knowsOnlyNewest()) {
      assertNothingMissing();
      assertThat(living()).containsAll(entries());
      assertThat(entries()).doesNotHaveDuplicates();
    } else {
      assertThat(entries()).isEqualTo(living());
    }
  }

  @Override
  public void close() throws IOException {
    base.close();
    connection.close();
  }
}
