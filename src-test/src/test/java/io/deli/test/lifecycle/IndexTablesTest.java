package io.deli.test.lifecycle;

import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.cluster.TestTable.put;
import static io.deli.test.lifecycle.OperatedTable.hbase;
import static io.deli.test.lifecycle.OperatedTable.ofTwoRows;
import static io.deli.test.lifecycle.OperatedTable.operate;
import static io.deli.test.lifecycle.OperatedTable.rows;
import static io.deli.test.lifecycle.OperatedTable.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.ExistingRows;
import io.deli.client.Finding;
import io.deli.client.VerifyOptions;
import io.deli.entry.EntryCodec;
import io.deli.index.IndexState;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.VetoingMaster;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.procedure.ModifyTableProcedure;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Index tables in the hands of HBase's own tools, on masters with DELI's observer. */
class IndexTablesTest {
  private static final byte[] ENTRIES = EntryCodec.family();

  /** In one error that names the table, the index and the remedy, by its last words. */
  private static void assertRefused(
      ThrowingCallable operation, OperatedTable table, String... remedy) {
    assertThatThrownBy(operation)
        .hasStackTraceContaining(DoNotRetryIOException.class.getName())
        .hasStackTraceContaining(
            "table %s holds index '%s' of table %s"
                .formatted(table.indexTable(), INDEX, table.name()))
        .satisfies(
            refusal -> {
              for (String step : remedy) {
                assertThat(refusal).hasStackTraceContaining(step);
              }
            });
  }

  private static String[] buildAnew(OperatedTable table) {
    return new String[] {
      "deli disable-index %s %s".formatted(table.name(), INDEX),
      "deli build %s %s".formatted(table.name(), INDEX)
    };
  }

  @Test
  void isNotEmptiedWhileItsIndexIsInUse() throws IOException {
    OperatedTable table = ofTwoRows("emptied");
    hbase().disableTable(table.indexTable());
    assertRefused(() -> hbase().truncateTable(table.indexTable(), false), table, buildAnew(table));
    hbase().enableTable(table.indexTable());
    table.assertExact();

    table.disableIndex();
    hbase().disableTable(table.indexTable());
    hbase().truncateTable(table.indexTable(), false);
    table.build();
    table.assertExact();
  }

  /** Nor does one take its place that anybody makes. */
  @Test
  void doesNotComeBackByItself() throws IOException {
    OperatedTable table = ofTwoRows("alone");
    TableDescriptor descriptor = hbase().getDescriptor(table.indexTable());
    String entries = snapshot(table.indexTable());
    hbase().disableTable(table.indexTable());
    assertRefused(() -> hbase().restoreSnapshot(entries, false), table, buildAnew(table));
    hbase().enableTable(table.indexTable());
    table.assertExact();
    assertThatThrownBy(() -> hbase().createTable(descriptor))
        .isInstanceOf(TableExistsException.class);

    hbase().disableTable(table.indexTable());
    hbase().deleteTable(table.indexTable());
    assertRefused(
        () -> hbase().cloneSnapshot(entries, table.indexTable()), table, buildAnew(table));
    assertRefused(() -> hbase().createTable(descriptor), table, buildAnew(table));
    assertThat(hbase().tableExists(table.indexTable())).isFalse();

    table.disableIndex();
    hbase().cloneSnapshot(entries, table.indexTable());
    assertThat(hbase().tableExists(table.indexTable())).isTrue();
  }

  /** The index table first, then its base table, then their use. */
  @Test
  void comesBackWithItsBaseTable() throws IOException {
    OperatedTable table = ofTwoRows("pair");
    hbase().disableTable(table.name());
    String base = snapshot(table.name());
    String entries = snapshot(table.indexTable());
    hbase().deleteTable(table.name());
    hbase().disableTable(table.indexTable());
    hbase().deleteTable(table.indexTable());

    hbase().cloneSnapshot(entries, table.indexTable());
    hbase().disableTable(table.indexTable());
    hbase().cloneSnapshot(base, table.name());
    hbase().enableTable(table.indexTable());
    assertThat(rows(table.find("old"))).containsExactly("r1");
    table.assertExact();
  }

  /** As by a program that alters the table by a copy of its descriptor. */
  @Test
  void isNotReadAgainByAnOlderDescriptor() throws IOException {
    OperatedTable table = ofTwoRows("older");
    TableDescriptor older = hbase().getDescriptor(table.name());
    table.disableIndex();
    table.write("r3", "same");
    assertRefused(() -> hbase().modifyTable(older), table, "deli build " + table.name());
    assertThat(table.state()).isEqualTo(IndexState.DISABLED);
    hbase()
        .modifyTable(
            IndexDefinitions.remove(TableDescriptorBuilder.newBuilder(older), INDEX).build());
    assertRefused(() -> hbase().modifyTable(older), table, "deli build " + table.name());

    table.dropIndex();
    hbase().modifyTable(older);
    assertThatThrownBy(() -> table.find("same"))
        .hasMessageContaining(table.indexTable() + " is missing");
    table.disableIndex();
    table.build();
    assertThat(rows(table.find("same"))).containsExactly("r2", "r3");
    table.assertExact();
  }

  private static TableDescriptor with(TableDescriptor table, IndexState state) {
    return IndexDefinitions.put(
            TableDescriptorBuilder.newBuilder(table),
            IndexDefinitions.named(table, INDEX).orElseThrow().withState(state))
        .build();
  }

  private static void awaitAlterations(TableName table, int alterations) throws IOException {
    HMaster master = MiniCluster.utility().getMiniHBaseCluster().getMaster();
    MiniCluster.utility()
        .waitFor(
            60_000,
            () ->
                master.getProcedures().stream()
                        .filter(
                            each ->
                                each instanceof ModifyTableProcedure alteration
                                    && alteration.getTableName().equals(table)
                                    && !each.isFinished())
                        .count()
                    == alterations);
  }

  /** As when the index is disabled while the older descriptor waits for the table's lock. */
  @Test
  void isNotReadAgainByAnOlderDescriptorThatWaited() throws Exception {
    OperatedTable table = ofTwoRows("waited");
    TableDescriptor older = hbase().getDescriptor(table.name());
    CountDownLatch late = new CountDownLatch(1);
    VetoingMaster.alterLate(table.name(), late);
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(MiniCluster.configuration()).get()) {
      Future<Void> disabling = connection.getAdmin().modifyTable(with(older, IndexState.DISABLED));
      awaitAlterations(table.name(), 1);
      Future<Void> waiting = connection.getAdmin().modifyTable(older);
      awaitAlterations(table.name(), 2);
      late.countDown();
      disabling.get();
      assertRefused(waiting::get, table, "deli build " + table.name());
    } finally {
      late.countDown();
    }
    assertThat(table.state()).isEqualTo(IndexState.DISABLED);
  }

  /** As when a row comes before it is maintained again, so that its enabling is refused. */
  @Test
  void isNotReadAgainByAnOlderDescriptorWhileItLacksRows() throws IOException {
    OperatedTable table = OperatedTable.create("lacking", family -> family);
    HookObserver hooks = HookObserver.on(table.name());
    TableDescriptor older = hbase().getDescriptor(table.name());
    table.disableIndex();
    try (Table plain = MiniCluster.connection().getTable(table.name())) {
      hooks.once(Moment.SCANNED, (region, scanned) -> plain.put(put("r", "v")));
      assertThatThrownBy(
              () ->
                  operate(
                      admin -> {
                        admin.enable(table.name(), INDEX, ExistingRows.REFUSE);
                        return null;
                      }))
          .hasMessageContaining("has rows");
    }
    assertRefused(() -> hbase().modifyTable(older), table, "deli build " + table.name());
    assertThat(table.state()).isEqualTo(IndexState.BUILDING);
    table.build();
    assertThat(rows(table.find("v"))).containsExactly("r");
  }

  private static void alter(TableName table, UnaryOperator<ColumnFamilyDescriptorBuilder> change)
      throws IOException {
    ColumnFamilyDescriptor family = hbase().getDescriptor(table).getColumnFamily(ENTRIES);
    hbase()
        .modifyColumnFamily(
            table, change.apply(ColumnFamilyDescriptorBuilder.newBuilder(family)).build());
  }

  @Test
  void isNotAlteredSoThatItWouldLoseEntries() throws IOException {
    OperatedTable table = ofTwoRows("weakened");
    List<UnaryOperator<ColumnFamilyDescriptorBuilder>> weaker =
        List.of(family -> family.setMaxVersions(1), family -> family.setTimeToLive(60));
    for (UnaryOperator<ColumnFamilyDescriptorBuilder> change : weaker) {
      assertRefused(() -> alter(table.indexTable(), change), table, "VERSIONS, TTL");
    }
    TableDescriptor present = hbase().getDescriptor(table.indexTable());
    TableDescriptor unlogged =
        TableDescriptorBuilder.newBuilder(present).setDurability(Durability.SKIP_WAL).build();
    assertRefused(() -> hbase().modifyTable(unlogged), table, "DURABILITY");
    assertThat(hbase().getDescriptor(table.indexTable())).isEqualTo(present);

    alter(table.indexTable(), family -> family.setCompressionType(Compression.Algorithm.GZ));
    table.assertExact();
    table.disableIndex();
    assertRefused(() -> alter(table.indexTable(), weaker.get(0)), table, "VERSIONS, TTL");
  }

  /** As it may have become before the observer was there. */
  @Test
  void aWeakOneIsNotTakenIntoUseButBuiltAsItWasMade() throws IOException {
    OperatedTable table = ofTwoRows("weak");
    TableDescriptor made = hbase().getDescriptor(table.indexTable());
    ColumnFamilyDescriptor weak =
        ColumnFamilyDescriptorBuilder.newBuilder(made.getColumnFamily(ENTRIES))
            .setMaxVersions(1)
            .setTimeToLive(60)
            .setCompressionType(Compression.Algorithm.GZ)
            .build();
    table.disableIndex();
    hbase().disableTable(table.indexTable());
    hbase().deleteTable(table.indexTable());
    hbase()
        .createTable(
            TableDescriptorBuilder.newBuilder(made)
                .modifyColumnFamily(weak)
                .setDurability(Durability.SKIP_WAL)
                .build());
    assertThatThrownBy(table::enableIndex)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContainingAll(
            table.indexTable().toString(), INDEX, "VERSIONS", "deli build " + table.name());

    table.build();
    TableDescriptor built = hbase().getDescriptor(table.indexTable());
    assertThat(IndexTables.keepsEntries(built)).isTrue();
    assertThat(built.getColumnFamily(ENTRIES).getCompressionType())
        .isEqualTo(Compression.Algorithm.GZ);
    table.assertExact();
  }

  /** Beside a table without such an index, or beside none. */
  @Test
  void whatOnlyHasTheNameOfOneIsLeftToItsOwner() throws IOException {
    OperatedTable base = OperatedTable.create("other", family -> family);
    TableName beside = TableName.valueOf(base.name() + ".by_nobody");
    TableName alone = TableName.valueOf(MiniCluster.uniqueTable("no") + ".by_nobody");
    for (TableName table : List.of(beside, alone)) {
      hbase()
          .createTable(
              TableDescriptorBuilder.newBuilder(table)
                  .setColumnFamily(
                      ColumnFamilyDescriptorBuilder.newBuilder(ENTRIES)
                          .setMaxVersions(Integer.MAX_VALUE)
                          .build())
                  .build());
      alter(table, family -> family.setMaxVersions(1));
      String snapshot = snapshot(table);
      hbase().disableTable(table);
      hbase().restoreSnapshot(snapshot, false);
      hbase().truncateTable(table, true);
      hbase().disableTable(table);
      hbase().deleteTable(table);
      hbase().cloneSnapshot(snapshot, table);
      assertThat(hbase().getDescriptor(table).getColumnFamily(ENTRIES).getMaxVersions())
          .isEqualTo(1);
    }
  }

  /** As it may be without the observer: nothing tells but a comparison. */
  @Test
  void whatAnEmptiedOneLacksIsFoundByVerifyAndBuilt() throws IOException {
    OperatedTable table = ofTwoRows("lost");
    MiniCluster.loseFiles(table.indexTable(), ENTRIES);
    assertThat(table.find("same")).isEmpty();
    assertThat(table.verify(VerifyOptions.DEFAULT).count(Finding.Kind.MISSING)).isEqualTo(2);
    table.disableIndex();
    table.build();
    assertThat(rows(table.find("same"))).containsExactly("r2");
    table.assertExact();
  }
}
