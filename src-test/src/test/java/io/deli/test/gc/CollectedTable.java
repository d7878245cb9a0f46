package io.deli.test.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliTable;
import io.deli.config.DeliSettings;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.IndexDefinition;
import io.deli.service.RegionService;
import io.deli.strategy.BaseVersion;
import io.deli.test.cluster.ClientTable;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;

/** A table with one index that is written through DELI and collected as by an operator. */
final class CollectedTable extends ClientTable {
  /** Longer than any write takes. */
  private static final long GRACE_MILLIS = 5_000;

  private CollectedTable(TestTable table) throws IOException {
    super(table);
  }

  static CollectedTable create(
      UnaryOperator<ColumnFamilyDescriptorBuilder> family, IndexDefinition definition)
      throws IOException {
    return new CollectedTable(
        createAsOperator(
            describe(MiniCluster.uniqueTable("living"), family)
                .setValue(DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE_MILLIS))
                .setValue("hbase.store.delete.expired.storefile", "false"),
            List.of(definition)));
  }

  DeliTable base() {
    return client();
  }

  /** Writes the entries of a version that the base table does not get. */
  void putEntryOf(String row, long timestamp, String value) throws IOException {
    putEntries(new BaseVersion(Bytes.toBytes(row), Bytes.toBytes(value), timestamp, WriteId.NONE));
  }

  /** Deletes the entries of a value, as a collection or a writer does who dies before the end. */
  void retract(String value) throws IOException {
    if (index().strategy().retraction().forgetsSuperseded()) {
      deleteEntries(
          index(),
          read().stream().filter(each -> Bytes.toString(each.token()).equals(value)).toList());
    }
  }

  void compact() throws IOException {
    compact(name());
  }

  /** Waits until no writer can be under way any more. */
  void awaitGrace() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(GRACE_MILLIS + 10);
  }

  /** Compacts all files of the index table; returns their bytes. */
  long compactIndex() throws IOException {
    compact(index().table());
    return MiniCluster.regions(index().table()).stream()
        .mapToLong(region -> region.getStores().get(0).getStorefilesSize())
        .sum();
  }

  /** How long a compaction of the index waits for the table. */
  void setIndexTimeout(long millis) throws IOException {
    TestTable.set(index().table(), DeliSettings.GC_TIMEOUT.key(), Long.toString(millis));
  }

  /** Asks the table, as a user, which entries are stale. */
  List<Integer> stale(User user) throws Exception {
    try (Connection asUser = ConnectionFactory.createConnection(MiniCluster.configuration(), user);
        Table table = asUser.getTable(name())) {
      return RegionService.positions(
          table
              .coprocessorService(HConstants.EMPTY_START_ROW)
              .callBlockingMethod(
                  RegionService.STALE,
                  null,
                  new RegionService.Entries(INDEX, 1, read()).toMessage(),
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
    try (Table table = table()) {
      for (Entry entry : read()) {
        table
            .coprocessorService(entry.key())
            .callBlockingMethod(
                RegionService.REPAIR,
                null,
                new RegionService.Suspect(INDEX, entry).toMessage(),
                RegionService.NOTHING);
      }
    }
    MiniCluster.utility().waitFor(20_000, 10, () -> read().size() <= before - stale);
    assertNothingMissing();
  }

  /** Collects when no writer can be under way any more. */
  void collectAfterGrace() throws Exception {
    awaitGrace();
    collect();
  }

  private List<Entry> read() throws IOException {
    return read(index());
  }

  /** The versions that a reader sees, as their entries. */
  SortedSet<String> living() throws IOException {
    return justified();
  }

  private SortedSet<String> newest() throws IOException {
    return justified(cells(new Scan().readVersions(1)));
  }

  private boolean knowsOnlyNewest() {
    return index().versions() == 1;
  }

  void assertNothingMissing() throws IOException {
    assertThat(entries()).containsAll(knowsOnlyNewest() ? newest() : living());
  }

  /** Each living version has its entries once; nothing else has any. */
  void assertExact() throws IOException {
    if (knowsOnlyNewest()) {
      assertNothingMissing();
      assertThat(living()).containsAll(entries());
      assertThat(entries()).doesNotHaveDuplicates();
    } else {
      assertThat(entries()).containsExactlyElementsOf(living());
    }
  }
}
