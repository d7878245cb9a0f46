package io.deli.test.build;

import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.DeliTable;
import io.deli.client.Finding.Kind;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.VerifyOptions;
import io.deli.entry.EntryCodec;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.Maintenance;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.tools.Cli;
import io.deli.tools.files.EntryFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Builds of indexes that are in use, and stay so. */
class RebuildTest {
  private static final int STEADY = 60;
  private static final byte[] VALUE = Bytes.toBytes("steady");
  private static final ValueQuery STEADY_ROWS = ValueQuery.on(INDEX).equalTo(VALUE);

  /** Rows that nobody writes again, beside those of {@link Writers}. */
  private static BuiltTable inUse(String stem, IndexDefinition definition) throws IOException {
    BuiltTable table = BuiltTable.create(stem, "row3", "row6", "steady");
    table.admin().createIndex(table.name(), definition);
    table.write("steady", STEADY, "steady");
    return table;
  }

  private static List<String> indexTables(BuiltTable table) throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      return Stream.of(
              admin.listTableNames(
                  Pattern.compile(Pattern.quote(table.name().getNameAsString()) + "\\..*")))
          .map(TableName::getQualifierAsString)
          .sorted()
          .toList();
    }
  }

  private static String generation(BuiltTable table, int number) {
    return IndexDefinitions.indexTable(table.name(), INDEX, number).getQualifierAsString();
  }

  private static long find(BuiltTable table) throws IOException {
    try (DeliTable rows = table.connection().getTable(table.name());
        ValueScanner hits = rows.readValue(STEADY_ROWS)) {
      long count = 0;
      while (hits.next().isPresent()) {
        count++;
      }
      return count;
    }
  }

  private static List<IndexDefinition> definitions() {
    IndexDefinition deferred = BuiltTable.definition("deferred");
    return List.of(
        deferred,
        deferred.withOrder(EntryOrder.BY_TIME).withOption(IndexDefinition.BUCKETS, "3"),
        BuiltTable.definition("lazy"),
        BuiltTable.definition("in-place"));
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void noQueryFailsOrMissesARowAmidWriters(IndexDefinition definition) throws Exception {
    try (BuiltTable table = inUse("rebuilt", definition);
        Writers writers = Writers.start(table, 4, 500);
        QueryLoop readers = QueryLoop.start(table, STEADY_ROWS, 4)) {
      readers.awaitMore(10);
      BuildReport report = table.build();
      assertThat(report.rows()).isGreaterThanOrEqualTo(STEADY);
      readers.awaitMore(10);
      readers.end();
      writers.end();
      assertThat(readers.refusals()).isEmpty();
      assertThat(readers.answers()).allMatch(rows -> rows == STEADY);
      assertThat(indexTables(table)).containsExactly(generation(table, 2));
      assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
      table.assertComplete();
      assertThat(
              table
                  .admin()
                  .verify(table.name(), INDEX, VerifyOptions.DEFAULT, ProgressListener.NONE)
                  .found()
                  .keySet())
          .isSubsetOf(Kind.OBSOLETE);
      table.build();
      assertThat(indexTables(table)).containsExactly(generation(table, 3));
      assertThat(find(table)).isEqualTo(STEADY);
    }
  }

  @Test
  void whatRegionServersMaintainStaysCompleteAmidPlainWriters() throws Exception {
    IndexDefinition served = BuiltTable.definition("deferred").withMaintenance(Maintenance.SERVER);
    try (BuiltTable table = inUse("reserved", served);
        Writers writers = Writers.startPlain(table, 3, 500);
        QueryLoop readers = QueryLoop.start(table, STEADY_ROWS, 2)) {
      table.build();
      readers.end();
      writers.end();
      assertThat(readers.refusals()).isEmpty();
      assertThat(readers.answers()).allMatch(rows -> rows == STEADY);
      table.assertComplete();
      table.admin().collect(table.name(), ProgressListener.NONE);
      table.assertComplete();
      assertThat(indexTables(table)).containsExactly(generation(table, 2));
    }
  }

  @Test
  void filesAndJobsFillTheNextGenerationToo() throws Exception {
    IndexDefinition salted =
        BuiltTable.definition("deferred").withOption(IndexDefinition.BUCKETS, "3");
    try (BuiltTable table = inUse("engines", salted)) {
      table.build(BuildOptions.DEFAULT.withWriter(new EntryFiles()));
      assertThat(indexTables(table)).containsExactly(generation(table, 2));
      table.assertExactWhenCollected();
      table.buildByJob(INDEX);
      assertThat(indexTables(table)).containsExactly(generation(table, 3));
      table.assertExactWhenCollected();
      assertThat(find(table)).isEqualTo(STEADY);
    }
  }

  /** What is deleted and collected while the next generation is filled is in neither. */
  @Test
  void aCollectionMeanwhileTakesFromBoth() throws Exception {
    try (BuiltTable table = inUse("collected", BuiltTable.stoppable());
        DeliTable rows = table.connection().getTable(table.name())) {
      rows.put(put("a", "dies"));
      rows.put(put("m", "stop"));
      UserTokenizer.Stop stop = UserTokenizer.waitAt("stop");
      CompletableFuture<BuildReport> build =
          table.start(table.connection(), BuildOptions.DEFAULT.withThreads(1));
      stop.awaitReached();
      UserTokenizer.work();
      rows.put(put("b", "meanwhile"));
      rows.delete(new Delete(Bytes.toBytes("a")));
      rows.delete(new Delete(Bytes.toBytes("b")));
      table.admin().collect(table.name(), ProgressListener.NONE);
      build.get(2, TimeUnit.MINUTES);
      table.assertExactWhenCollected();
      assertThat(find(table)).isEqualTo(STEADY);
    }
  }

  private static BuiltTable stopped(String stem) throws IOException {
    BuiltTable table = inUse(stem, BuiltTable.stoppable());
    UserTokenizer.failAt("steady");
    assertThatThrownBy(table::build).hasMessageContaining("a bug of the user's");
    UserTokenizer.work();
    assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
    assertThat(indexTables(table))
        .containsExactly(
            generation(table, 1), generation(table, 2), generation(table, 1) + ".build");
    try (DeliTable rows = table.connection().getTable(table.name())) {
      rows.put(put("meanwhile", "steady"));
    }
    assertThat(find(table)).isEqualTo(STEADY + 1);
    return table;
  }

  @Test
  void oneThatEndedTooEarlyIsResumed() throws Exception {
    try (BuiltTable table = stopped("resumed")) {
      assertThat(table.admin().buildProgress(table.name(), INDEX).orElseThrow().ranges())
          .isPositive();
      table.build();
      assertThat(indexTables(table)).containsExactly(generation(table, 2));
      table.assertExactWhenCollected();
      assertThat(find(table)).isEqualTo(STEADY + 1);
    }
  }

  /** Readers leave an index before it is dropped, and whoever dropped it died then. */
  @Test
  void oneWhoseIndexWasLeftByItsReadersHasItInUseAgain() throws Exception {
    try (BuiltTable table = stopped("left");
        Admin admin = MiniCluster.connection().getAdmin()) {
      IndexDefinition definition = table.admin().list(table.name()).get(0);
      TableDescriptorBuilder left =
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table.name()));
      IndexDefinitions.put(left, definition.withState(IndexState.BUILDING));
      admin.modifyTable(left.build());
      table.build();
      assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
      assertThat(indexTables(table)).containsExactly(generation(table, 2));
      assertThat(find(table)).isEqualTo(STEADY + 1);
    }
  }

  @Test
  void oneThatEndedTooEarlyIsGivenUpByDisablingOrDropping() throws Exception {
    try (BuiltTable table = stopped("abandoned")) {
      table.admin().disable(table.name(), INDEX);
      assertThat(indexTables(table)).containsExactly(generation(table, 1));
      table.build();
      assertThat(indexTables(table)).containsExactly(generation(table, 3));
      table.assertExactWhenCollected();
    }
    try (BuiltTable table = stopped("forsaken")) {
      table.admin().dropIndex(table.name(), INDEX);
      assertThat(indexTables(table)).isEmpty();
      table.createIndex(BuiltTable.definition("lazy"));
      table.build();
      assertThat(indexTables(table)).containsExactly(generation(table, 3));
      table.assertComplete();
    }
  }

  /** It died when all was done but to delete the table that was read before. */
  @Test
  void oneThatEndedAfterItsSwitchIsFinished() throws Exception {
    try (BuiltTable table = inUse("switched", BuiltTable.definition("deferred"))) {
      ProgressListener dying =
          (stage, done, total) -> {
            if (stage.contains("to leave the former table")) {
              throw new IllegalStateException("killed");
            }
          };
      assertThatThrownBy(
              () -> table.admin().build(table.name(), INDEX, BuildOptions.DEFAULT, dying))
          .hasMessage("killed");
      assertThat(find(table)).isEqualTo(STEADY);
      try (DeliTable rows = table.connection().getTable(table.name())) {
        rows.put(put("meanwhile", "steady"));
      }
      table.build();
      assertThat(indexTables(table)).containsExactly(generation(table, 2));
      table.assertExactWhenCollected();
      assertThat(find(table)).isEqualTo(STEADY + 1);
    }
  }

  @Test
  void theCommandBuildsWhatIsInUse(@TempDir Path directory) throws Exception {
    BuiltTable.writeSite(directory);
    Cli deli = new Cli("--conf", directory.toString());
    try (BuiltTable table = inUse("commanded", BuiltTable.definition("deferred"))) {
      String name = table.name().getNameAsString();
      Cli.Outcome built = deli.run("build", name, INDEX);
      assertThat(built.code()).as(built.err()).isZero();
      assertThat(deli.run("indexes", name).out()).contains("ACTIVE", "generation=2");
      assertThat(find(table)).isEqualTo(STEADY);
      // As is left by a builder that dies at its very end.
      MiniCluster.utility()
          .createTable(TableName.valueOf(generation(table, 7)), EntryCodec.family())
          .close();
      makeIndexTable(TableName.valueOf(generation(table, 7)));
      assertThat(deli.run("indexes").out())
          .containsPattern(name + "\\s+\\| " + INDEX + ".*SUPERSEDED.*generation=7");
      assertThat(deli.run("disable-index", name, INDEX).code()).isZero();
      assertThat(indexTables(table)).containsExactly(generation(table, 2));
      assertThat(deli.run("drop-index", name, INDEX).code()).isZero();
      assertThat(indexTables(table)).isEmpty();
    }
  }

  private static void makeIndexTable(TableName table) throws IOException {
    TestTable.set(table, "deli.strategy", "deferred");
  }

  @Test
  void theMasterGuardsBothTables() throws Exception {
    try (BuiltTable table = stopped("guarded");
        Admin admin = MiniCluster.connection().getAdmin()) {
      for (int number : new int[] {1, 2}) {
        TableName index = IndexDefinitions.indexTable(table.name(), INDEX, number);
        admin.disableTable(index);
        assertThatThrownBy(() -> admin.truncateTable(index, true))
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining("holds index '" + INDEX + "' of table " + table.name());
        admin.enableTable(index);
      }
    }
  }

  @Test
  void refusesATableThatIsNotSound() throws Exception {
    try (BuiltTable table = inUse("unsound", BuiltTable.definition("deferred"));
        Admin admin = MiniCluster.connection().getAdmin()) {
      TableName index = IndexDefinitions.indexTable(table.name(), INDEX);
      admin.disableTable(index);
      assertThatThrownBy(table::build).hasMessageContaining("its table is disabled");
      admin.deleteTable(index);
      assertThatThrownBy(table::build).hasMessageContaining("has no index table. Disable it");
      table.admin().disable(table.name(), INDEX);
      table.build();
      assertThat(indexTables(table)).containsExactly(generation(table, 2));
      assertThat(find(table)).isEqualTo(STEADY);
    }
  }

  @Test
  void aCloneOfALaterGenerationIsBuiltAndARestoredTableBuiltAnew() throws Exception {
    try (BuiltTable table = inUse("cloned", BuiltTable.definition("deferred"));
        Admin admin = MiniCluster.connection().getAdmin()) {
      String first = MiniCluster.uniqueTable("snapshot").getNameAsString();
      admin.snapshot(first, table.name());
      table.build();
      String second = MiniCluster.uniqueTable("snapshot").getNameAsString();
      admin.snapshot(second, table.name());
      TableName clone = MiniCluster.uniqueTable("clone");
      admin.cloneSnapshot(second, clone);
      assertThat(table.admin().describe(clone, INDEX).state()).isEqualTo(IndexState.DETACHED);
      table.admin().build(clone, INDEX, BuildOptions.DEFAULT, ProgressListener.NONE);
      assertThat(
              table
                  .admin()
                  .verify(clone, INDEX, VerifyOptions.DEFAULT, ProgressListener.NONE)
                  .found())
          .isEmpty();
      admin.disableTable(table.name());
      assertThatThrownBy(() -> admin.restoreSnapshot(first))
          .hasStackTraceContaining("disable '" + generation(table, 2));
      admin.disableTable(IndexDefinitions.indexTable(table.name(), INDEX, 2));
      admin.restoreSnapshot(first);
      admin.enableTable(table.name());
      assertThatThrownBy(() -> find(table)).hasStackTraceContaining("is missing");
      table.admin().disable(table.name(), INDEX);
      // The descriptor of the snapshot remembers no second generation, but clients may.
      List<String> stages = new CopyOnWriteArrayList<>();
      table
          .admin()
          .build(
              table.name(), INDEX, BuildOptions.DEFAULT, (stage, done, total) -> stages.add(stage));
      assertThat(stages.get(0)).contains("to leave index");
      assertThat(indexTables(table)).containsExactly(generation(table, 2));
      assertThat(find(table)).isEqualTo(STEADY);
    }
  }
}
