package io.deli.test.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.CollectReport;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.entry.EntryCodec;
import io.deli.index.ClassProbe;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.InvalidIndexException;
import io.deli.index.ValueType;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.Background;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Action;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Threads;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeliAdminTest {
  private static final String OBSERVER = "io.deli.coprocessor.DeliRegionObserver";
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final IndexDefinition BY_USER =
      IndexDefinition.on("by_user", Column.parse("f:user"));

  @AutoClose private static Connection connection;

  private final DeliAdmin deli = DeliAdmin.of(connection);
  @AutoClose private Admin admin;
  private TableName table;
  private TableName indexTable;

  @BeforeAll
  static void connect() throws IOException {
    connection = ConnectionFactory.createConnection(MiniCluster.configuration(500));
  }

  @BeforeEach
  void createTable() throws IOException {
    table = MiniCluster.uniqueTable("admin");
    indexTable = IndexDefinitions.indexTable(table, "by_user");
    MiniCluster.utility().createTable(table, FAMILY).close();
    admin = connection.getAdmin();
  }

  @Test
  void createsListsAndDrops() throws IOException {
    TableDescriptor before = admin.getDescriptor(table);

    deli.createIndex(table, BY_USER);

    assertThat(deli.list(table)).containsExactly(BY_USER);
    assertThat(deli.describe(table, "by_user")).isEqualTo(BY_USER);
    assertThat(admin.tableExists(indexTable)).isTrue();
    assertThat(admin.getDescriptor(table).hasCoprocessor(OBSERVER)).isTrue();

    deli.dropIndex(table, "by_user");

    assertThat(deli.list(table)).isEmpty();
    assertThat(admin.tableExists(indexTable)).isFalse();
    // But for what keeps the next one from having this one's table.
    assertThat(
            TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
                .removeValue(Bytes.toBytes("deli.generation.by_user"))
                .build())
        .isEqualTo(before);
  }

  @Test
  void collectsWhileRegionsMove() throws Exception {
    deli.createIndex(table, BY_USER);
    AtomicBoolean collected = new AtomicBoolean();
    CompletableFuture<Void> moves =
        Background.run(
            () -> {
              try (Admin mover = connection.getAdmin()) {
                while (!collected.get()) {
                  for (TableName each : List.of(table, indexTable)) {
                    mover.move(mover.getRegions(each).get(0).getEncodedNameAsBytes());
                  }
                  // HBase's client waits longer after each failure: moved without a rest, a region
                  // is gone again whenever it asks, until it gives up.
                  Threads.sleep(500);
                }
              }
            });
    for (int run = 0; run < 10; run++) {
      assertThat(regions()).containsAll(deli.collect(table, ProgressListener.NONE).left());
    }
    collected.set(true);
    assertThat(moves).succeedsWithin(Duration.ofMinutes(1));
    MiniCluster.utility().waitUntilNoRegionsInTransition();
    assertThat(deli.collect(table, ProgressListener.NONE).left()).isEmpty();
  }

  /** HBase takes requests for compactions then, and does nothing. */
  @Test
  void tellsWhatItDidNotCompact() throws IOException {
    deli.createIndex(table, BY_USER);
    try (Table rows = connection.getTable(table);
        Table entries = connection.getTable(indexTable)) {
      rows.put(new Put(ROW).addColumn(FAMILY, ROW, ROW));
      entries.put(new Put(ROW).addColumn(EntryCodec.family(), ROW, ROW));
    }
    admin.compactionSwitch(false, List.of());
    try {
      CollectReport report = deli.collect(table, ProgressListener.NONE);
      assertThat(report.isComplete()).isFalse();
      assertThat(report.left()).containsExactlyInAnyOrderElementsOf(regions());
    } finally {
      admin.compactionSwitch(true, List.of());
    }
    assertThat(deli.collect(table, ProgressListener.NONE).left()).isEmpty();

    TestTable.alter(table, descriptor -> descriptor.setCompactionEnabled(false));
    assertThatThrownBy(() -> deli.collect(table, ProgressListener.NONE))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage(
            "table %s cannot be compacted: its compactions are disabled. Alter it to COMPACTION_ENABLED => 'true'.",
            table);
    TestTable.alter(table, descriptor -> descriptor.setCompactionEnabled(true).setReadOnly(true));
    assertThatThrownBy(() -> deli.collect(table, ProgressListener.NONE))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage(
            "table %s cannot be compacted: it is read-only. Alter it to READONLY => 'false'.",
            table);
  }

  private List<String> regions() throws IOException {
    List<RegionInfo> regions = new ArrayList<>(admin.getRegions(table));
    regions.addAll(admin.getRegions(indexTable));
    return regions.stream().map(RegionInfo::getRegionNameAsString).toList();
  }

  @Test
  void keepsTheCoprocessorWhileAnIndexIsLeft() throws IOException {
    deli.createIndex(table, BY_USER);
    deli.createIndex(table, IndexDefinition.on("by_city", Column.parse("f:city")));

    deli.dropIndex(table, "by_user");
    assertThat(admin.getDescriptor(table).hasCoprocessor(OBSERVER)).isTrue();
    assertThat(deli.list(table)).extracting(IndexDefinition::name).containsExactly("by_city");

    deli.dropIndex(table, "by_city");
    assertThat(admin.getDescriptor(table).hasCoprocessor(OBSERVER)).isFalse();
  }

  @Test
  void splitsTheIndexTable() throws IOException {
    IndexDefinition numbers = BY_USER.withType(ValueType.LONG);
    deli.createIndex(
        table,
        numbers,
        CreateIndexOptions.DEFAULT.withSplits(
            List.of(Bytes.toBytes(10L), Bytes.toBytes(-5L), Bytes.toBytes(1000L))));
    assertThat(admin.getRegions(indexTable)).hasSize(4);
  }

  @Test
  void splitsTheIndexTableBetweenBuckets_andEachOfThem() throws IOException {
    IndexDefinition salted = BY_USER.withOption(IndexDefinition.BUCKETS, "3");
    assertThatThrownBy(() -> deli.createIndex(table, salted.withStrategy("lazy")))
        .hasMessageContainingAll("'lazy' does not support buckets", "'deferred'");
    assertNothingChanged();
    deli.createIndex(
        table, salted, CreateIndexOptions.DEFAULT.withSplits(List.of(Bytes.toBytes("m"))));
    assertThat(admin.getRegions(indexTable))
        .extracting(region -> Bytes.toStringBinary(region.getStartKey()))
        .containsExactly(
            "", "\\x00m\\x00\\x00", "\\x01", "\\x01m\\x00\\x00", "\\x02", "\\x02m\\x00\\x00");
  }

  @Test
  void refusesATableWithRowsUnlessAsked() throws IOException {
    try (Table rows = connection.getTable(table)) {
      rows.put(new Put(Bytes.toBytes("r")).addColumn(FAMILY, FAMILY, FAMILY));
    }
    assertThatThrownBy(() -> deli.createIndex(table, BY_USER))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(table.getNameAsString())
        .hasMessageContaining("rows");
    assertNothingChanged();

    deli.createIndex(
        table, BY_USER, CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.LEAVE_UNINDEXED));
    deli.disable(table, "by_user");
    assertThat(deli.describe(table, "by_user").state()).isEqualTo(IndexState.DISABLED);
    assertThatThrownBy(() -> deli.enable(table, "by_user", ExistingRows.REFUSE))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("by_user");
    assertThat(deli.describe(table, "by_user").state()).isEqualTo(IndexState.DISABLED);

    deli.enable(table, "by_user", ExistingRows.LEAVE_UNINDEXED);
    assertThat(deli.describe(table, "by_user").state()).isEqualTo(IndexState.ACTIVE);
  }

  /** As by files of rows that regions load until all know of the index. */
  @Test
  void refusesATableThatGetsRowsMeanwhile() throws IOException {
    HookObserver hooks = HookObserver.on(table);
    try (Table rows = connection.getTable(table)) {
      Action<Object> put = (region, scanned) -> rows.put(new Put(ROW).addColumn(FAMILY, ROW, ROW));
      hooks.once(Moment.SCANNED, put);
      assertThatThrownBy(() -> deli.createIndex(table, BY_USER))
          .hasMessageContainingAll("has rows", "Build it");
      assertBuilt();
      deli.disable(table, "by_user");
      rows.delete(new Delete(ROW));
      hooks.once(Moment.SCANNED, put);
      assertThatThrownBy(() -> deli.enable(table, "by_user", ExistingRows.REFUSE))
          .hasMessageContainingAll("has rows", "Build it");
      assertBuilt();
    }
  }

  private void assertBuilt() throws IOException {
    assertThat(deli.describe(table, "by_user").state()).isEqualTo(IndexState.BUILDING);
    deli.build(table, "by_user", BuildOptions.DEFAULT, ProgressListener.NONE);
    assertThat(deli.describe(table, "by_user").state()).isEqualTo(IndexState.ACTIVE);
  }

  @Test
  void refusesWhatCannotBeRight() throws IOException {
    TableName missing = MiniCluster.uniqueTable("missing");
    assertThatThrownBy(() -> deli.createIndex(missing, BY_USER))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(missing.getNameAsString());
    assertThatThrownBy(
            () -> deli.createIndex(table, IndexDefinition.on("i", Column.parse("none:x"))))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("none");
    assertThatThrownBy(() -> deli.createIndex(table, BY_USER.withStrategy("nonsense")))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("deferred");
    assertThatThrownBy(() -> deli.createIndex(table, BY_USER.withTokenizer("no.such.Tokenizer")))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("no.such.Tokenizer");
    assertThatThrownBy(() -> deli.dropIndex(table, "by_user"))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("by_user");
    assertNothingChanged();

    deli.createIndex(table, BY_USER);
    assertThatThrownBy(() -> deli.createIndex(table, BY_USER))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("already");
  }

  @Test
  void refusesAFamilyWhoseCompactionsDoNotSeeValues() throws IOException {
    TableName large = MiniCluster.uniqueTable("mob");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(large)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMobEnabled(true).build())
            .build());
    assertThatThrownBy(() -> deli.createIndex(large, BY_USER))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("MOB");
    assertThat(deli.list(large)).isEmpty();
  }

  @Test
  void refusesToTakeOverATableOfTheSameName() throws IOException {
    MiniCluster.utility().createTable(indexTable, FAMILY).close();
    assertThatThrownBy(() -> deli.createIndex(table, BY_USER))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(indexTable.getNameAsString());
    assertThat(deli.list(table)).isEmpty();
  }

  @Test
  void asksTheServersWhetherTheyCanLoadAClass() throws IOException {
    Get sure = new Get(FAMILY).setFilter(new ClassProbe(List.of(OBSERVER)));
    Get never = new Get(FAMILY).setFilter(new ClassProbe(List.of(OBSERVER, "no.such.Observer")));
    try (Table rows = connection.getTable(table)) {
      assertThat(rows.get(sure).isEmpty()).isTrue();
      assertThatThrownBy(() -> rows.get(never))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasStackTraceContaining("class not found: no.such.Observer");
    }
  }

  @Test
  void refusesAJarThatIsMissingOrLacksTheCoprocessor(@TempDir Path directory) throws IOException {
    Path jar = directory.resolve("other.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      entries.putNextEntry(new ZipEntry("io/deli/other/Thing.class"));
    }
    assertJarRefused(jar.toFile(), "lacks");
    assertJarRefused(directory.resolve("missing.jar").toFile(), "no such file");
  }

  private void assertJarRefused(File jar, String reason) throws IOException {
    Configuration configuration = MiniCluster.configuration();
    configuration.set("deli.coprocessor.jar", jar.toURI().toString());
    try (Connection other = ConnectionFactory.createConnection(configuration)) {
      assertThatThrownBy(() -> DeliAdmin.of(other).createIndex(table, BY_USER))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(jar.getName())
          .hasMessageContaining(reason);
    }
    assertNothingChanged();
  }

  @Test
  void aNewerDefinitionIsRefusedByName() throws IOException {
    TestTable.set(table, "deli.index.future", "{\"version\":99,\"name\":\"future\"}");
    assertThatThrownBy(() -> deli.list(table))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("deli.index.future")
        .hasMessageContaining("99")
        .hasMessageContaining("upgrade");
    // Not to be met by what lists all tables.
    admin.disableTable(table);
    admin.deleteTable(table);
  }

  private void assertNothingChanged() throws IOException {
    assertThat(admin.tableExists(indexTable)).isFalse();
    assertThat(deli.list(table)).isEmpty();
    assertThat(admin.getDescriptor(table).hasCoprocessor(OBSERVER)).isFalse();
  }
}
