package io.deli.test.build;

import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.config.DeliSettings;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.Gate;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.tools.files.EntryFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Builds by threads that write files, which the index table loads. */
class FilesBuildTest {
  /** The index that a test builds by files beside one that is built by Puts. */
  static final String BY_FILES = "by_files";

  private static final int ROWS = 8;
  private static final BuildOptions FILES = BuildOptions.DEFAULT.withWriter(new EntryFiles());

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "lazy"})
  void buildsWhileWritersWrite(String strategy) throws Exception {
    try (BuiltTable table = BuiltTable.create("files", "row5")) {
      table.assertBuiltAmidWriters(strategy, each -> each.build(FILES));
      assertThat(table.staged()).isEmpty();
    }
  }

  @Test
  void writesWhatPutsWrite() throws Exception {
    assertWritesWhatPutsWrite(
        table -> table.admin().build(table.name(), BY_FILES, FILES, ProgressListener.NONE));
  }

  /**
   * Hidden ones, such with write ids of their own, such that expire, and several of a row;
   * untagged.
   */
  static void assertWritesWhatPutsWrite(BuiltTable.Building building) throws Exception {
    try (BuiltTable table = BuiltTable.create("files_versions", "c");
        DeliTable rows = table.connection().getTable(table.name())) {
      table.admin().createIndex(table.name(), BuiltTable.definition("deferred"));
      rows.put(List.of(put("a", 5, "v"), put("b", "v"), put("c", 5, "v")));
      rows.put(put("expiring", 5, "v").setTTL(TimeUnit.DAYS.toMillis(100 * 365)));
      table.putPlain(List.of(put("d", 5, "a"), put("d", 6, "b"), put("d", 7, "c")));
      table.putPlain(List.of(put("e", 5, "v"), put("e", 6, "v")));
      for (String index : List.of("by_puts", BY_FILES)) {
        table.createIndex(
            IndexDefinition.on(index, TestTable.COLUMN)
                .withOrder(EntryOrder.BY_TIME)
                .withOption(IndexDefinition.BUCKETS, "3"));
      }
      table.build("by_puts");
      BuildReport report = building.of(table);
      assertThat(report.rows()).isEqualTo(6);
      assertThat(report.entries()).isEqualTo(9);
      assertThat(cells(table, BY_FILES))
          .hasSize(9)
          .isEqualTo(cells(table, "by_puts"))
          .allMatch(cell -> cell.endsWith(" "));
      rows.delete(new Delete(Bytes.toBytes("c")));
      rows.put(List.of(put("a", 6, "w"), put("a", 7, "x"), put("b", "w"), put("b", "x")));
      table.admin().dropIndex(table.name(), INDEX);
      table.assertExactWhenCollected();
    }
  }

  /** All that is in the table of an index, tags and all. */
  private static List<String> cells(BuiltTable table, String index) throws IOException {
    Configuration tagged = BuiltTable.configuration();
    tagged.set(HConstants.RPC_CODEC_CONF_KEY, KeyValueCodecWithTags.class.getName());
    List<String> cells = new ArrayList<>();
    try (Connection connection = ConnectionFactory.createConnection(tagged);
        Table entries = connection.getTable(IndexDefinitions.indexTable(table.name(), index));
        ResultScanner rows = entries.getScanner(new Scan().readAllVersions().setRaw(true))) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          String tags = Bytes.toStringBinary(PrivateCellUtil.cloneTags(cell));
          cells.add(CellUtil.getCellKeyAsString(cell) + " " + tags);
        }
      }
    }
    return cells;
  }

  @Test
  void whatWasLoadedIsNotReadAgain() throws Exception {
    Configuration eager = BuiltTable.configuration();
    eager.setLong(DeliSettings.BUILD_FILES_AGE.key(), 0);
    try (BuiltTable table = BuiltTable.create("files_resumed", "x");
        DeliConnection builder = MiniCluster.connect(eager)) {
      table.fill("row", ROWS);
      table.putPlain(List.of(put("z", "z")));
      table.createIndex(BuiltTable.stoppable());
      UserTokenizer.failAt("row0005");
      assertThatThrownBy(
              () ->
                  builder
                      .getDeliAdmin()
                      .build(table.name(), INDEX, FILES.withThreads(1), ProgressListener.NONE))
          .hasMessageContainingAll("row0005", "a bug of the user's");
      UserTokenizer.work();
      assertThat(table.state()).isEqualTo(IndexState.BUILDING);
      assertThat(table.staged()).isEmpty();
      assertThat(table.audit().missing()).as("not loaded").hasSize(ROWS + 1 - 5);
      // With what it holds, nothing of which counts as done.
      UserTokenizer.failAt("z");
      assertThatThrownBy(() -> table.build(FILES.withThreads(1))).hasMessageContaining("'z'");
      UserTokenizer.work();
      BuildReport report = table.build(FILES);
      assertThat(report.rows()).as("behind what was loaded").isBetween(1L, ROWS + 1L - 5);
      table.assertExactWhenCollected();
      assertThat(table.audit().versions()).isEqualTo(ROWS + 1);
    }
  }

  @Test
  void whoLostTheBuildLoadsNothing() throws Exception {
    try (BuiltTable table = BuiltTable.filled("files_lost", ROWS);
        // Whose term outlasts this test, so that it hears of nothing unless it asks.
        DeliConnection patient = BuiltTable.connect(TimeUnit.MINUTES.toMillis(2))) {
      table.createIndex(BuiltTable.stoppable());
      UserTokenizer.failAt("row0005");
      // What waits for the lease is done after this.
      assertThatThrownBy(() -> table.build(FILES.withThreads(1))).hasMessageContaining("row0005");
      UserTokenizer.work();
      AtomicInteger loads = new AtomicInteger();
      HookObserver.on(table.indexTable())
          .each(Moment.LOAD, (region, files) -> loads.incrementAndGet());
      UserTokenizer.Stop stop = UserTokenizer.waitAt("row0005");
      CompletableFuture<BuildReport> build = table.start(patient, FILES.withThreads(1));
      stop.awaitReached();
      takeOver(table);
      stop.goOn().countDown();
      assertThatThrownBy(() -> build.get(2, TimeUnit.MINUTES))
          .hasMessageContaining("another process has taken over this build");
      assertThat(loads).hasValue(0);
      assertThat(table.audit().missing()).hasSize(ROWS);
      UserTokenizer.work();
      assertThat(table.build(FILES).rows()).isEqualTo(ROWS);
      table.assertExactWhenCollected();
    }
  }

  private static void takeOver(BuiltTable table) throws IOException {
    try (Table ledger =
        MiniCluster.connection().getTable(TableName.valueOf(table.indexTable() + ".build"))) {
      ledger.put(
          new Put(Bytes.toBytes("builder"))
              .addColumn(Bytes.toBytes("b"), Bytes.toBytes("owner"), Bytes.toBytes("another")));
    }
  }

  @Test
  void anotherBuildGoesOnWhenOneWasKilledWhileItLoads(@TempDir Path directory) throws Exception {
    BuiltTable.writeSite(directory);
    try (BuiltTable table = BuiltTable.filled("files_killed", ROWS)) {
      table.createIndex(BuiltTable.definition("deferred"));
      HookObserver incidents = HookObserver.on(table.indexTable());
      Gate hold = new Gate();
      CountDownLatch over = new CountDownLatch(1);
      incidents.each(Moment.LOAD, hold);
      table.killBuildAt(hold, directory, "--files", "--threads", "1");
      incidents.cancel(Moment.LOAD);
      assertThat(table.state()).isEqualTo(IndexState.BUILDING);
      assertThat(table.staged()).as("what the dead builder left").hasSize(1);

      assertThat(table.build(FILES).rows()).isEqualTo(ROWS);

      assertThat(table.staged()).isEmpty();
      // The region server goes on with the request of the dead, whose files are gone.
      incidents.each(Moment.LOAD_OVER, (region, files) -> over.countDown());
      hold.open();
      assertThat(over.await(2, TimeUnit.MINUTES)).isTrue();
      table.assertExactWhenCollected();
      assertThat(table.audit().versions()).isEqualTo(ROWS);
    }
  }

  @Test
  void theNextBuildClearsAwayWhatOneOfAnEarlierGenerationLeft() throws Exception {
    try (BuiltTable table = BuiltTable.filled("files_left", ROWS)) {
      table.createIndex(BuiltTable.definition("deferred"));
      table.build(FILES);
      FileSystem files = MiniCluster.utility().getTestFileSystem();
      files.mkdirs(new org.apache.hadoop.fs.Path(table.staging(), "of the dead"));
      table.build(FILES);
      assertThat(table.staged()).isEmpty();
      assertThat(MiniCluster.utility().getAdmin().tableExists(table.indexTable()))
          .as("the first generation is superseded")
          .isFalse();
    }
  }

  /**
   * A version dies, its entry is deleted, and it is put again; the index table splits, and is
   * disabled until the files are there; and an answer is lost, so that a region loads twice.
   */
  @Test
  void entriesGetToWhereTheyBelongWhateverBefallsTheIndexWhileTheyAreHeld() throws Exception {
    try (BuiltTable table = BuiltTable.create("files_befallen");
        DeliTable rows = table.connection().getTable(table.name());
        Admin admin = MiniCluster.connection().getAdmin()) {
      table.putPlain(List.of(put("a", 5, "a"), put("m", 5, "m"), put("z", 5, "z")));
      table.createIndex(BuiltTable.stoppable());
      AtomicInteger loads = new AtomicInteger();
      HookObserver.on(table.indexTable())
          .each(
              Moment.LOADED,
              (region, files) -> {
                if (loads.incrementAndGet() == 1) {
                  throw new IOException("the answer is lost");
                }
              });
      UserTokenizer.Stop stop = UserTokenizer.waitAt("z");
      CompletableFuture<BuildReport> build = table.start(table.connection(), FILES.withThreads(1));
      stop.awaitReached();
      rows.delete(new Delete(Bytes.toBytes("a"), 5));
      MiniCluster.utility().flush(table.name());
      MiniCluster.utility().compact(table.name(), true);
      rows.put(put("a", 5, "a"));
      table.splitIndexTable("m");
      admin.disableTable(table.indexTable());
      stop.goOn().countDown();
      Eventually.holdsElsewhere(() -> assertThat(stagedFiles(table)).isEqualTo(2));
      admin.enableTable(table.indexTable());
      assertThat(build.get(2, TimeUnit.MINUTES).entries()).isEqualTo(3);
      assertThat(loads).as("of two regions, one of them twice").hasValueGreaterThan(2);
      assertThat(table.staged()).isEmpty();
      table.assertExactWhenCollected();
      assertThat(table.audit().versions()).isEqualTo(3);
    }
  }

  private static int stagedFiles(BuiltTable table) throws IOException {
    FileSystem files = MiniCluster.utility().getTestFileSystem();
    int found = 0;
    for (var staged : table.staged()) {
      for (var all = files.listFiles(staged.getPath(), true); all.hasNext(); all.next()) {
        found++;
      }
    }
    return found;
  }

  @Test
  void refusesAStrategyThatFoldsAsItWrites() throws Exception {
    try (BuiltTable table = BuiltTable.filled("files_refused", ROWS)) {
      table.createIndex(BuiltTable.definition("eager"));
      assertThatThrownBy(() -> table.build(FILES))
          .hasMessageContainingAll("strategy 'eager'", "build it without --files");
      assertThat(table.admin().buildProgress(table.name(), INDEX)).isEmpty();
      assertThat(table.state()).isEqualTo(IndexState.BUILDING);
    }
  }
}
