package io.deli.test.strategy;

import static io.deli.test.cluster.TestTable.COLUMN;
import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.strategy.ScannedTable.row;
import static io.deli.test.strategy.ScannedTable.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.strategy.ScannedTable.Metric;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Indexes of files are written with a file and go where it goes. What a lookup finds is right in
 * any case; that no file was read again for its index, or searched without, is counted.
 */
abstract class FileIndexSurvival {
  static final int ROWS = 1_200;
  private static final int MIDDLE = ROWS / 2;
  private static final int QUARTER = ROWS / 4;
  static final int PATIENCE_MILLIS = 60_000;
  static final int POLL_MILLIS = 50;

  protected ScannedTable table;
  private Admin admin;

  protected abstract String strategy();

  @BeforeEach
  void create() throws IOException {
    admin = MiniCluster.connection().getAdmin();
    table = ScannedTable.create(strategy(), "survival", row(MIDDLE));
    // Two files in each region, each with every other row.
    table.load(ROWS, i -> i % 2 == 0, ScannedTable::value);
    table.load(ROWS, i -> i % 2 == 1, ScannedTable::value);
  }

  @AfterEach
  void close() throws IOException {
    admin.close();
    table.close();
  }

  /** Looks up values on both sides of all borders. */
  static void assertIndexesServe(ScannedTable table) throws IOException {
    long built = Metric.BUILT.now();
    assertServes(table);
    assertThat(Metric.BUILT.now() - built).as("files read for their indexes").isZero();
  }

  static void assertServes(ScannedTable table) throws IOException {
    long whole = Metric.SEARCHED_WHOLE.now();
    long skipped = Metric.SKIPPED.now();
    int lookups = 0;
    for (int i :
        new int[] {0, QUARTER - 1, QUARTER, MIDDLE - 2, MIDDLE - 1, MIDDLE, MIDDLE + 1, ROWS - 1}) {
      assertThat(table.find(value(i))).containsExactly(row(i));
      lookups++;
    }
    assertThat(table.find(value(ROWS + 1_000))).isEmpty();
    assertThat(Metric.SEARCHED_WHOLE.now()).isEqualTo(whole);
    assertThat(Metric.SKIPPED.now() - skipped).isGreaterThan(lookups * table.blocks() / 2);
  }

  private List<RegionInfo> regions() throws IOException {
    return admin.getRegions(table.name());
  }

  @Test
  void flushesAndCompactionsWriteThem() throws Exception {
    long loaded = Metric.LOADED.now();
    assertIndexesServe(table);
    assertThat(Metric.LOADED.now() - loaded).isEqualTo(4);
    for (HRegion region : MiniCluster.regions(table.name())) {
      region.compact(true);
    }
    assertThat(table.files()).hasSize(2);
    assertIndexesServe(table);
    assertThat(Metric.LOADED.now() - loaded).isEqualTo(6);
  }

  @Test
  void otherServersReadThem() throws Exception {
    ServerName first = MiniCluster.serverOf(table.name());
    MiniCluster.move(table.name(), first);
    assertIndexesServe(table);
    long loaded = Metric.LOADED.now();
    MiniCluster.move(table.name(), MiniCluster.otherThan(first));
    assertIndexesServe(table);
    assertThat(Metric.LOADED.now()).isGreaterThan(loaded);
  }

  @Test
  void mergedRegionsTakeThemOver() throws Exception {
    assertIndexesServe(table);
    byte[][] both =
        regions().stream().map(RegionInfo::getEncodedNameAsBytes).toArray(byte[][]::new);
    admin.mergeRegionsAsync(both, true).get();
    assertThat(regions()).hasSize(1);
    assertIndexesServe(table);
    awaitWholeFiles();
    assertIndexesServe(table);
  }

  @Test
  void halvesOfRegionsShareThem() throws Exception {
    assertIndexesServe(table);
    RegionInfo region = regions().get(0);
    MiniCluster.forgetMoves(region);
    admin.splitRegionAsync(region.getRegionName(), Bytes.toBytes(row(QUARTER))).get();
    assertThat(regions()).hasSize(3);
    assertIndexesServe(table);
    awaitWholeFiles();
    assertIndexesServe(table);
  }

  /** Of two neighbours at least one is amid a block, within which the lower half then ends. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void theNewestHitsAreFoundInHalves(int above) throws Exception {
    // So many that postings lead to blocks, too.
    int rows = 11_000;
    admin.compactionSwitch(false, List.of());
    try (ScannedTable halved = ScannedTable.create(strategy(), "halves")) {
      halved.load(rows, i -> true, i -> value(0));
      byte[] region = admin.getRegions(halved.name()).get(0).getRegionName();
      admin.splitRegionAsync(region, Bytes.toBytes(row(rows - above))).get();
      assertThat(halved.files()).hasSize(2).allMatch(HStoreFile::isReference);
      List<String> newest = IntStream.rangeClosed(1, 30).mapToObj(i -> row(rows - i)).toList();
      assertThat(halved.find(ValueQuery.on(INDEX).equalTo(value(0)).mostRecent(30)))
          .containsExactlyElementsOf(newest);
    } finally {
      admin.compactionSwitch(true, List.of());
    }
  }

  private void awaitWholeFiles() throws Exception {
    MiniCluster.utility()
        .waitFor(
            PATIENCE_MILLIS,
            POLL_MILLIS,
            () -> table.files().stream().noneMatch(file -> file.isReference()));
  }

  @Test
  void clonesOfSnapshotsHaveThem() throws Exception {
    TableName clone = MiniCluster.uniqueTable("clone");
    admin.snapshot(clone.getNameAsString(), table.name());
    admin.cloneSnapshot(clone.getNameAsString(), clone);
    try (ScannedTable cloned = ScannedTable.open(clone)) {
      long loaded = Metric.LOADED.now();
      assertIndexesServe(cloned);
      assertThat(Metric.LOADED.now() - loaded).isEqualTo(4);
      // Halves of links.
      RegionInfo region = admin.getRegions(clone).get(0);
      admin.splitRegionAsync(region.getRegionName(), Bytes.toBytes(row(QUARTER))).get();
      assertThat(admin.getRegions(clone)).hasSize(3);
      assertIndexesServe(cloned);
    }
  }

  /** Bulk loads a file of rows behind those of the table, with values of that length. */
  protected final void bulkLoad(int rows, int length) throws IOException {
    bulkLoad(rows, length, writer -> {});
  }

  /** The same, and more in the file. */
  protected final void bulkLoad(int rows, int length, Consumer<HFile.Writer> more)
      throws IOException {
    Path directory =
        new Path(
            MiniCluster.utility().getDataTestDirOnTestFS(), table.name().getQualifierAsString());
    Path family = new Path(directory, Bytes.toString(COLUMN.family()));
    write(new Path(family, "loaded"), rows, length, more);
    BulkLoadHFiles.create(MiniCluster.configuration()).bulkLoad(table.name(), directory);
  }

  private static void write(Path file, int rows, int length, Consumer<HFile.Writer> more)
      throws IOException {
    FileSystem files = MiniCluster.utility().getTestFileSystem();
    List<KeyValue> cells = new ArrayList<>();
    for (int i = ROWS; i < ROWS + rows; i++) {
      cells.add(
          new KeyValue(
              Bytes.toBytes(row(i)),
              COLUMN.family(),
              COLUMN.qualifier(),
              System.currentTimeMillis(),
              Bytes.padTail(value(10 * i), length - value(10 * i).length)));
    }
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(MiniCluster.configuration())
            .withPath(files, file)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      for (KeyValue cell : cells) {
        writer.append(cell);
      }
      more.accept(writer);
    }
  }

  /** Its name sorts behind that of the index which the files have. */
  @Test
  void anIndexFromAfterTheFilesIsNotMistakenForTheirs() throws Exception {
    Column late = Column.parse("f:z");
    byte[] row = Bytes.toBytes(row(MIDDLE + 1));
    table.table().put(new Put(row).addColumn(late.family(), late.qualifier(), Bytes.toBytes("z")));
    table.flush();
    DeliAdmin.of(MiniCluster.connection())
        .createIndex(table.name(), IndexDefinition.on("late", late).withStrategy(strategy()));
    try (ScannedTable indexed = ScannedTable.open(table.name())) {
      assertThat(indexed.find(ValueQuery.on("late").equalTo(Bytes.toBytes("z"))))
          .containsExactly(row(MIDDLE + 1));
    }
  }
}
