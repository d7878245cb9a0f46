package io.deli.test.build;

import static io.deli.test.cluster.TestTable.COLUMN;
import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.config.DeliSettings;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.service.LoadMark;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.tools.Cli;
import io.deli.test.tools.Cli.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads files by jobs of Hadoop's local runner, as {@code deli load --mapreduce} does. */
class MapReduceLoadTest {
  private static final byte[] NUMBER = Bytes.toBytes("n");
  private static final int ROWS = 60;
  private static final long GRACE_MILLIS = 100;

  @TempDir private Path directory;

  @BeforeEach
  void writeSite() throws IOException {
    BuiltTable.writeSite(directory);
  }

  @AfterEach
  void tokenizerWorks() {
    UserTokenizer.work();
  }

  private static List<IndexDefinition> allKinds() {
    Column number = Column.of(FAMILY, NUMBER);
    Column other = Column.of(FAMILY, OTHER);
    return List.of(
        IndexDefinition.on("by_time", COLUMN).withOrder(EntryOrder.BY_TIME),
        IndexDefinition.on("by_two", COLUMN, number),
        IndexDefinition.on("by_some", number).withCondition(other, Bytes.toBytes("yes")),
        IndexDefinition.on("by_salt", other).withOption(IndexDefinition.BUCKETS, "4"),
        IndexDefinition.on("by_served", other).withMaintenance(Maintenance.SERVER),
        IndexDefinition.on("by_served_two", COLUMN, number).withMaintenance(Maintenance.SERVER),
        IndexDefinition.on("by_composite", COLUMN).withStrategy("composite"));
  }

  /** Later lines win, older rows are superseded, bad lines are told and counted. */
  @Test
  void allIndexesHaveTheRows() throws Exception {
    try (BuiltTable table = BuiltTable.create("load_all", "row0030");
        DeliTable rows = table.connection().getTable(table.name())) {
      table
          .admin()
          .createIndex(
              table.name(),
              TestTable.byQ(),
              CreateIndexOptions.DEFAULT.withSplits(List.of(Bytes.toBytes("v5"))));
      for (IndexDefinition each : allKinds()) {
        table.admin().createIndex(table.name(), each);
      }
      rows.put(row("row0003", "old", "n3", "yes"));
      Outcome loaded = loadTwoFiles(table);

      assertThat(loaded.err()).contains("a.csv, line at byte", "2 values for 4 columns; skipped");
      assertThat(loaded.out()).contains("loaded 62 rows", "skipped 1 bad line");
      assertThat(loaded.code()).isEqualTo(3);
      assertThat(table.cells(new Scan())).hasSize(4 * ROWS);
      assertVerified(table);
      assertFound(rows);
      assertThat(indexed(table, "by_salt")).contains("row0004");
      rows.delete(new Delete(Bytes.toBytes("row0004")));
      table.admin().collect(table.name(), ProgressListener.NONE);
      for (String collected : List.of("by_salt", "by_served", "by_served_two", INDEX)) {
        assertThat(indexed(table, collected)).as(collected).doesNotContain("row0004");
      }
    }
  }

  private static List<String> indexed(BuiltTable table, String index) throws IOException {
    return table.read(Index.of(table.name(), table.admin().describe(table.name(), index))).stream()
        .map(entry -> Bytes.toString(entry.key()))
        .toList();
  }

  private Outcome loadTwoFiles(BuiltTable table) throws IOException {
    String lines =
        IntStream.range(0, ROWS)
            .mapToObj(i -> "row%04d,v%d,n%d,%s".formatted(i, i % 10, i, i % 2 == 0 ? "yes" : "no"))
            .collect(joining("\n", "id,q,n,o\n", "\n\nrow0099,short\n"));
    return load(
        table,
        write("a.csv", lines),
        write("b.csv", "id,q,n,o\nrow0007,moved,n7,yes\nrow0008,moved,n8,no\n"));
  }

  private static void assertFound(DeliTable rows) throws IOException {
    assertThat(TestTable.find(rows, ValueQuery.on(INDEX).equalTo(Bytes.toBytes("moved"))))
        .containsExactlyInAnyOrder("row0007", "row0008");
    assertThat(TestTable.find(rows, ValueQuery.on(INDEX).equalTo(Bytes.toBytes("old")))).isEmpty();
    assertThat(TestTable.find(rows, ValueQuery.on(INDEX).equalTo(Bytes.toBytes("v7")))).hasSize(5);
    assertThat(
            TestTable.find(
                rows,
                ValueQuery.on("by_two")
                    .leading(Bytes.toBytes("moved"))
                    .equalTo(Bytes.toBytes("n8"))))
        .containsExactly("row0008");
    for (String index : List.of("by_salt", "by_served")) {
      assertThat(TestTable.find(rows, ValueQuery.on(index).equalTo(Bytes.toBytes("yes"))))
          .hasSize(ROWS / 2)
          .contains("row0007")
          .doesNotContain("row0008");
    }
  }

  private static Put row(String key, String value, String number, String other) {
    return new Put(Bytes.toBytes(key))
        .addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value))
        .addColumn(FAMILY, NUMBER, Bytes.toBytes(number))
        .addColumn(FAMILY, OTHER, Bytes.toBytes(other));
  }

  /**
   * Readers that meet entries whose rows are not loaded yet neither find nor repair them. Of rows
   * that are deleted, compactions collect the entries.
   */
  @Test
  void entriesAreLoadedFirstAndStay() throws Exception {
    Configuration impatient = BuiltTable.configuration();
    impatient.setLong(DeliSettings.REPAIR_GRACE.key(), GRACE_MILLIS);
    try (BuiltTable table = BuiltTable.create("load_order", "row0030");
        DeliConnection connection = MiniCluster.connect(impatient);
        DeliTable rows = connection.getTable(table.name())) {
      table.admin().createIndex(table.name(), TestTable.byQ());
      TestTable.set(table.name(), DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE_MILLIS));
      ValueQuery all = ValueQuery.on(INDEX).equalTo(Bytes.toBytes("v"));
      Index index = Index.of(table.name(), TestTable.byQ());
      List<String> before = new CopyOnWriteArrayList<>();
      HookObserver.on(table.name())
          .each(
              Moment.LOAD,
              (region, files) -> {
                before.add(
                    "%d entries, %d rows"
                        .formatted(table.read(index).size(), TestTable.find(rows, all).size()));
                TimeUnit.MILLISECONDS.sleep(5 * GRACE_MILLIS);
              });
      String lines =
          IntStream.range(0, ROWS)
              .mapToObj("{\"id\":\"row%04d\",\"q\":\"v\"}"::formatted)
              .collect(joining("\n"));
      Outcome loaded = load(table, write("rows.jsonl", lines));

      assertThat(loaded.code()).as(loaded.err()).isZero();
      assertThat(before).startsWith(ROWS + " entries, 0 rows");
      assertThat(TestTable.find(rows, all)).hasSize(ROWS);
      assertVerified(table);
      rows.delete(new Delete(Bytes.toBytes("row0001")));
      table.assertExactWhenCollected();
    }
  }

  @Test
  void anIndexThatIsCreatedMeanwhileRefusesTheRows() throws Exception {
    try (BuiltTable table = BuiltTable.create("load_late")) {
      table.admin().createIndex(table.name(), BuiltTable.stoppable());
      UserTokenizer.Stop stop = UserTokenizer.waitAt("v");
      Path file = write("rows.csv", "id,q\nrow,v\n");
      CompletableFuture<Outcome> load = CompletableFuture.supplyAsync(() -> load(table, file));
      stop.awaitReached();
      table.admin().createIndex(table.name(), IndexDefinition.on("by_late", COLUMN));
      stop.goOn().countDown();
      Outcome refused = load.get(2, TimeUnit.MINUTES);
      assertThat(refused.err()).contains("were created, built anew or dropped", "Load again");
      assertThat(refused.code()).isEqualTo(1);
      assertThat(table.cells(new Scan())).isEmpty();
      assertThat(load(table, file).code()).isZero();
      assertVerified(table);
    }
  }

  /** The region that has the rows in hand closes, to be opened for the index. */
  @Test
  void anIndexThatIsCreatedWhileRowsAreLoadedRefusesThem() throws Exception {
    try (BuiltTable table = BuiltTable.create("load_race")) {
      table.admin().createIndex(table.name(), TestTable.byQ());
      HookObserver.on(table.name())
          .once(
              Moment.LOAD,
              (region, files) ->
                  table.admin().createIndex(table.name(), IndexDefinition.on("by_late", COLUMN)));
      Outcome refused = load(table, write("rows.csv", "id,q\nrow,v\n"));
      assertThat(refused.err()).contains("were created, built anew or dropped", "Load again");
      assertThat(table.cells(new Scan())).isEmpty();
    }
  }

  /** As it is while an index is published, when the descriptor has it already. */
  @Test
  void anIndexIsBuiltWhenAllRegionsRefuseRowsWithoutIt() throws Exception {
    try (BuiltTable table = BuiltTable.create("load_unheard", "row0005");
        Admin admin = MiniCluster.connection().getAdmin()) {
      table.fill("row", 10);
      table.createIndex(BuiltTable.stoppable());
      TableDescriptor known = admin.getDescriptor(table.name());
      TableDescriptor unknown =
          IndexDefinitions.remove(TableDescriptorBuilder.newBuilder(known), INDEX).build();
      admin.modifyTable(unknown);
      MiniCluster.utility().getHBaseCluster().getMaster().getTableDescriptors().update(known);
      LoadMark mark = LoadMark.of(unknown, 1);
      UserTokenizer.Stop stop = UserTokenizer.waitAt("row0003");
      CompletableFuture<BuildReport> build =
          table.start(table.connection(), BuildOptions.DEFAULT.withThreads(1));
      stop.awaitReached();
      for (HRegion each : MiniCluster.regions(table.name())) {
        assertThatThrownBy(() -> mark.requireCurrent(each.getTableDescriptor(), 1))
            .hasMessageContaining("indexes were created");
      }
      stop.goOn().countDown();
      assertThat(build.get(2, TimeUnit.MINUTES).rows()).isEqualTo(10);
    }
  }

  @Test
  void filesThatAPatternMatchedAreNoPatterns() throws Exception {
    try (BuiltTable table = BuiltTable.create("load_pattern")) {
      write("part[1].csv", "id,q\nrow,v\n");
      write("part1.csv", "id,q\nother,v\n");
      write("part[10.csv", "");
      write("_part[1", "log");
      assertThat(load(table, List.of("file://" + directory + "/*part?1*")).code()).isZero();
      assertThat(table.cells(new Scan()))
          .extracting(cell -> Bytes.toString(CellUtil.cloneRow(cell)))
          .containsOnly("row");
    }
  }

  @Test
  void aTableMayBeInANamespace() throws Exception {
    String table = "load_space:rows";
    MiniCluster.utility()
        .getAdmin()
        .createNamespace(NamespaceDescriptor.create("load_space").build());
    Cli deli = new Cli("--conf", directory.toString());
    assertThat(deli.run("create-table", table, "f").code()).isZero();
    assertThat(deli.run("create-index", table, INDEX, COLUMN.toString()).code()).isZero();
    String file = write("rows.tsv", "id\tq\nrow\tv\n").toUri().toString();
    assertThat(deli.run("load", table, file, "--key", "id", "--mapreduce").code()).isZero();
    assertThat(deli.run("query", table, INDEX, "--equal", "v").out()).contains("row");
  }

  @Test
  void whatCannotBeLoadedIsRefused() throws Exception {
    try (BuiltTable table = BuiltTable.create("load_refused")) {
      Path bad = write("bad.csv", "id,q\nrow,v\nshort\n");
      Outcome stopped = load(table, bad, "--strict");
      assertThat(stopped.err()).contains("bad.csv, line at byte 11: 1 values for 2 columns");
      assertThat(stopped.code()).isEqualTo(1);
      table.admin().createIndex(table.name(), BuiltTable.definition("lazy"));
      Outcome lists = load(table, bad);
      assertThat(lists.err()).contains("strategy 'lazy'", "Load without --mapreduce");
      assertThat(lists.code()).isEqualTo(2);
      Outcome others = load(table, bad, write("c.csv", "id,o\nrow,v\n").toUri().toString());
      assertThat(others.err()).contains("other columns than");
      assertThat(others.code()).isEqualTo(2);
      assertThat(load(table, bad, bad).err()).contains("bad.csv is named twice");
      assertThat(load(table, write("r.csv.bz2", "id,q\n")).err()).contains("it is compressed");
      Outcome header = load(table, write("broken.csv", "id,\"q\nr\"\nrow,v\n"));
      assertThat(header.err()).contains("a quoted value is not closed");
      assertThat(header.code()).isEqualTo(2);
      table.admin().dropIndex(table.name(), INDEX);
      Outcome torn = load(table, write("torn.csv", "id,q,n\nrow,\"a,b\nc,d\",e\n"));
      assertThat(torn.err())
          .contains("torn.csv, line at byte 7: the row goes on", "nothing is loaded");
      assertThat(torn.code()).isEqualTo(1);
      Path latin = directory.resolve("latin.csv");
      Files.write(latin, "id,q\ncaf\u00e9,v\n".getBytes(StandardCharsets.ISO_8859_1));
      Outcome skipped = load(table, latin);
      assertThat(skipped.err()).contains("latin.csv, line at byte 5: not UTF-8");
      assertThat(skipped.code()).isEqualTo(3);
      assertThat(table.cells(new Scan())).isEmpty();
    }
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private Outcome load(BuiltTable table, Path... files) {
    return load(table, Arrays.stream(files).map(each -> each.toUri().toString()).toList());
  }

  private Outcome load(BuiltTable table, Path file, String more) {
    return load(table, List.of(file.toUri().toString(), more));
  }

  private Outcome load(BuiltTable table, List<String> arguments) {
    List<String> all = new ArrayList<>(List.of("load", table.name().getNameAsString()));
    all.addAll(arguments);
    all.addAll(List.of("--key", "id", "--mapreduce"));
    return new Cli("--conf", directory.toString()).run(all.toArray(String[]::new));
  }

  private static void assertVerified(BuiltTable table) throws IOException {
    for (IndexDefinition each : table.admin().list(table.name())) {
      VerifyReport report =
          table
              .admin()
              .verify(table.name(), each.name(), VerifyOptions.DEFAULT, ProgressListener.NONE);
      assertThat(report.isClean()).as("%s: %s", each.name(), report).isTrue();
      assertThat(report.versions()).as(each.name()).isPositive();
    }
  }
}
