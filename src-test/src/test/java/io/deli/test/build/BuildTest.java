package io.deli.test.build;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.Continuation;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.Explanation.Step;
import io.deli.client.IndexUnavailableException;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.Background;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.fault.HeldConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BuildTest {
  @ParameterizedTest
  @ValueSource(strings = {"deferred", "in-place", "composite", "eager", "lazy"})
  void buildsWhileWritersWrite(String strategy) throws Exception {
    try (BuiltTable table = BuiltTable.create("build", "row3", "row6")) {
      table.assertBuiltAmidWriters(strategy, BuiltTable::build);
    }
  }

  @Test
  void splitsTheIndexTableByASampleOfTheRows() throws Exception {
    try (BuiltTable table = BuiltTable.create("split", "m0500")) {
      table.fill("m", 1_000);
      table.createIndex(BuiltTable.definition("deferred"), 4);
      table.build();
      table.assertExactWhenCollected();
      List<RegionInfo> regions = table.indexRegions();
      assertThat(regions).hasSize(4);
      for (RegionInfo region : regions) {
        Scan part = new Scan().withStartRow(region.getStartKey()).withStopRow(region.getEndKey());
        assertThat(TestTable.rows(table.plain(), table.indexTable(), part))
            .hasSizeBetween(200, 300);
      }
    }
  }

  /** HBase divides no range of keys that differ in zeros at their ends, or within its limit. */
  @ParameterizedTest
  @ValueSource(ints = {1, 32_000, HConstants.MAX_ROW_LENGTH - 1})
  void buildsBetweenRowsThatAreHardToDivide(int length) throws Exception {
    String m = "m".repeat(length);
    String n = "n".repeat(length);
    try (BuiltTable table = BuiltTable.create("close" + length, "n");
        Table rows = table.table()) {
      // A client that has not cached the regions could not write the longest.
      table.putPlain(List.of(put("a", "v"), put("z", "v")));
      rows.delete(
          new ArrayList<>(List.of(new Delete(Bytes.toBytes("a")), new Delete(Bytes.toBytes("z")))));
      for (String row : List.of(m, m + "\0", n, n + "\1")) {
        rows.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, FAMILY));
      }
      table.createIndex(BuiltTable.definition("deferred"), 2);
      table.build();
      table.assertComplete();
    }
  }

  /** Its base Puts come when the build is over, planned when there was no index. */
  @Test
  void aWriterHeldOverTheWholeBuildIsIndexed() throws Exception {
    try (BuiltTable table = BuiltTable.create("held");
        HeldConnection held = HeldConnection.open(BuiltTable.configuration())) {
      table.fill("row", 10);
      CompletableFuture<Void> late = held.getAsyncTable(table.name()).put(put("late", "v"));
      Eventually.holds(() -> assertThat(held.waiting()).isEqualTo(1));
      table.createIndex(BuiltTable.definition("deferred"));
      table.build();
      held.release();
      late.get(60, TimeUnit.SECONDS);
      table.assertExactWhenCollected();
      assertThat(table.audit().versions()).isEqualTo(11);
    }
  }

  @Test
  void goesOnWhereItEnded() throws Exception {
    try (BuiltTable table = BuiltTable.create("resumed", "x")) {
      table.fill("m", 5_000);
      table.putPlain(List.of(put("a", "a"), put("w", "w"), put("x0", "x0"), put("z", "z")));
      table.createIndex(BuiltTable.stoppable());
      UserTokenizer.failAt("m4500");
      // So slowly that it writes down how far it is within the range of most rows.
      assertThatThrownBy(() -> table.build(new BuildOptions(1, 1_500)))
          .hasMessageContainingAll("m4500", "a bug of the user's");
      assertThat(table.state()).isEqualTo(IndexState.BUILDING);
      assertThat(reached(table)).as("how far ranges are").anyMatch(row -> row.matches("m\\d{4}"));
      UserTokenizer.failAt("x0");
      assertThatThrownBy(table::buildInOrder).hasMessageContaining("x0");
      UserTokenizer.work();
      BuildReport report = table.build();
      assertThat(report.resumed()).as("ranges that were done").isBetween(1, report.ranges() - 1);
      assertThat(report.rows()).as("rows not done again").isLessThan(5_000);
      assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
      table.assertExactWhenCollected();
      try (Admin admin = MiniCluster.connection().getAdmin()) {
        assertThat(admin.tableExists(ledger(table))).isFalse();
      }
    }
  }

  private static List<String> reached(BuiltTable table) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table ledger = MiniCluster.connection().getTable(ledger(table));
        ResultScanner ranges =
            ledger.getScanner(new Scan().addColumn(Bytes.toBytes("b"), Bytes.toBytes("next")))) {
      ranges.forEach(range -> rows.add(Bytes.toString(range.value())));
    }
    return rows;
  }

  private static TableName ledger(BuiltTable table) {
    return TableName.valueOf(table.name().getNameAsString() + "." + INDEX + ".build");
  }

  @Test
  void oneProcessBuildsAtATimeAndADeadOneIsReplaced() throws Exception {
    try (BuiltTable table = BuiltTable.filled("builders", 10)) {
      table.createIndex(BuiltTable.stoppable());
      UserTokenizer.failAt("row0005");
      // What waits for the lease is done after this.
      assertThatThrownBy(table::build).hasMessageContaining("row0005");
      UserTokenizer.work();
      try (Table rows = MiniCluster.connection().getTable(ledger(table))) {
        byte[] family = Bytes.toBytes("b");
        rows.put(
            new Put(Bytes.toBytes("builder"))
                .addColumn(family, Bytes.toBytes("owner"), Bytes.toBytes("one that was killed")));
      }
      UserTokenizer.failAt("row0005");
      assertThatThrownBy(table::build).hasMessageContaining("row0005");
      UserTokenizer.work();
      assertOneBuildsAtATime(table);
      table.assertExactWhenCollected();
    }
  }

  private static void assertOneBuildsAtATime(BuiltTable table) throws Exception {
    UserTokenizer.Stop stop = UserTokenizer.waitAt("row0005");
    // With terms that no stall of this machine outlasts.
    try (DeliConnection patient = BuiltTable.connect(TimeUnit.SECONDS.toMillis(30))) {
      CompletableFuture<BuildReport> first = Background.call(() -> build(patient, table));
      stop.awaitReached();
      assertThatThrownBy(() -> build(patient, table))
          .hasMessageContaining("is building this index");
      stop.goOn().countDown();
      assertThat(first.get(2, TimeUnit.MINUTES).rows()).isPositive();
      assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
    }
  }

  private static BuildReport build(DeliConnection connection, BuiltTable table) throws IOException {
    return connection
        .getDeliAdmin()
        .build(table.name(), INDEX, BuildOptions.DEFAULT, ProgressListener.NONE);
  }

  @Test
  void anIndexDroppedWhileItIsBuiltStaysDropped() throws Exception {
    try (BuiltTable table = BuiltTable.filled("dropped", 10)) {
      table.createIndex(BuiltTable.stoppable());
      UserTokenizer.Stop stop = UserTokenizer.waitAt("row0005");
      CompletableFuture<?> build =
          CompletableFuture.runAsync(
              () ->
                  assertThatThrownBy(table::build)
                      .hasMessageContaining("changed or dropped by another process"));
      stop.awaitReached();
      assertThat(table.admin().buildProgress(table.name(), INDEX)).isPresent();
      table.admin().dropIndex(table.name(), INDEX);
      stop.goOn().countDown();
      build.get(2, TimeUnit.MINUTES);
      assertThat(table.admin().list(table.name())).isEmpty();
      try (Admin admin = MiniCluster.connection().getAdmin()) {
        assertThat(admin.tableExists(ledger(table))).isFalse();
      }
    }
  }

  @Test
  void refusesWhatIsNotToBeBuilt() throws Exception {
    try (BuiltTable table = BuiltTable.create("refused");
        DeliTable rows = table.connection().getTable(table.name())) {
      table.fill("row", 3);
      table.createIndex(BuiltTable.definition("deferred"));
      assertThatThrownBy(() -> rows.readValue(ValueQuery.on(INDEX).equalTo(QUALIFIER)))
          .isInstanceOf(IndexUnavailableException.class)
          .hasMessageContainingAll("is BUILDING", "deli build");
      table.build();
      assertThatThrownBy(() -> table.build("by_x")).hasMessageContaining("has no index 'by_x'");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "lazy"})
  void aScanAnswersWhileTheIndexMayNotBeRead(String strategy) throws Exception {
    ValueQuery both = ValueQuery.on(INDEX).prefix(Bytes.toBytes("row")).allowScan();
    try (BuiltTable table = BuiltTable.create("scanned", "row0001");
        DeliTable rows = table.connection().getTable(table.name())) {
      table.fill("row", 2);
      table.putPlain(List.of(put("a", "other")));
      table.createIndex(BuiltTable.definition(strategy));
      assertThat(rows.explain(both).steps()).extracting(Step::strategy).containsExactly("none");
      assertThat(TestTable.find(rows, both)).containsExactly("row0000", "row0001");
      Continuation behindOne;
      try (ValueScanner first = rows.readValue(both.limit(1))) {
        assertThat(first.next()).isPresent();
        assertThat(first.next()).isEmpty();
        behindOne = first.continuation().orElseThrow();
      }
      assertThat(TestTable.find(rows, both.from(behindOne))).containsExactly("row0001");
      table.build();
      assertThat(rows.explain(both).steps()).extracting(Step::strategy).containsExactly(strategy);
      assertThat(TestTable.find(rows, both)).containsExactly("row0000", "row0001");
      assertThatThrownBy(() -> rows.readValue(both.from(behindOne)))
          .hasMessageContaining("belongs to another query");
      table.admin().disable(table.name(), INDEX);
      table.putPlain(List.of(put("b", "row")));
      assertThat(TestTable.find(rows, both)).containsExactly("b", "row0000", "row0001");
    }
  }

  @Test
  void whatHasNoTableIsActiveAtOnce() throws Exception {
    try (BuiltTable table = BuiltTable.filled("no_table", 3)) {
      table.createIndex(BuiltTable.definition("embedded"));
      assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
      table.admin().disable(table.name(), INDEX);
      assertThat(table.build()).isEqualTo(BuildReport.NOTHING);
      assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
    }
  }

  @Test
  void aDisabledIndexIsBuiltAnew() throws Exception {
    try (BuiltTable table = BuiltTable.create("anew");
        DeliTable rows = table.connection().getTable(table.name())) {
      table.admin().createIndex(table.name(), BuiltTable.definition("deferred"));
      rows.put(List.of(put("a", 5, "v"), put("b", 5, "v"), put("c", 5, "v")));
      table.admin().disable(table.name(), INDEX);
      table.putPlain(List.of(put("a", 6, "w"), put("d", 5, "v")));
      try (Table plain = MiniCluster.connection().getTable(table.name())) {
        plain.delete(new Delete(Bytes.toBytes("b")));
      }
      table.build();
      table.assertExactWhenCollected();
      assertThat(table.audit().versions()).isEqualTo(4);
    }
  }

  /** Entries must be those that the collection of their versions names. */
  @Test
  void entriesCarryTheWriteIdsOfTheirVersions() throws Exception {
    String byTime = "by_time";
    try (BuiltTable table = BuiltTable.create("ids");
        DeliTable rows = table.connection().getTable(table.name())) {
      table.admin().createIndex(table.name(), BuiltTable.definition("deferred"));
      rows.put(List.of(put("a", 5, "v"), put("b", "v"), put("c", 5, "v")));
      rows.put(put("expiring", 5, "v").setTTL(TimeUnit.DAYS.toMillis(100 * 365)));
      table.createIndex(IndexDefinition.on(byTime, TestTable.COLUMN).withOrder(EntryOrder.BY_TIME));
      table.build(byTime);
      table.assertComplete();
      rows.delete(new Delete(Bytes.toBytes("c")));
      rows.put(List.of(put("a", 6, "w"), put("a", 7, "x"), put("b", "w"), put("b", "x")));
      table.assertExactWhenCollected();
    }
  }

  /** Or a client that has not heard of the index could make an entry vanish. */
  @Test
  void tombstonesFromBeforeTheReadingMaskNothing() throws Exception {
    try (BuiltTable table = BuiltTable.create("masked");
        Admin admin = MiniCluster.connection().getAdmin()) {
      table.createIndex(BuiltTable.definition("deferred"));
      table.putPlain(List.of(put("row", 5, "v")));
      admin.flush(table.name());
      try (Table plain = MiniCluster.connection().getTable(table.name())) {
        plain.delete(new Delete(Bytes.toBytes("row"), 5));
      }
      table.admin().collect(table.name(), ProgressListener.NONE);
      admin.flush(IndexDefinitions.indexTable(table.name(), INDEX));
      table.putPlain(List.of(put("row", 5, "v")));
      table.build();
      table.assertExactWhenCollected();
      assertThat(table.audit().versions()).isEqualTo(1);
    }
  }

  @Test
  void whatIsHiddenAndMayBeSeenAgainIsIndexed() throws Exception {
    try (BuiltTable table = BuiltTable.create("hidden");
        DeliTable rows = table.connection().getTable(table.name())) {
      table.createIndex(BuiltTable.definition("deferred"));
      table.putPlain(List.of(put("row", 5, "a"), put("row", 6, "b"), put("row", 7, "c")));
      table.build();
      // Two versions are kept: the oldest was hidden.
      rows.delete(new Delete(Bytes.toBytes("row")).addColumn(FAMILY, QUALIFIER, 7));
      assertThat(table.audit().versions()).isEqualTo(2);
      table.assertComplete();
    }
  }

  @Test
  void whatAnExpiringVersionHidesIsIndexedInPlace() throws Exception {
    try (BuiltTable table = BuiltTable.create("expiring");
        DeliTable rows = table.connection().getTable(table.name())) {
      table.putPlain(List.of(put("row", 5, "a"), put("row", "b").setTTL(8_000)));
      table.createIndex(BuiltTable.definition("in-place"));
      table.build();
      byte[] a = Bytes.toBytes("a");
      Get get = new Get(Bytes.toBytes("row"));
      Eventually.holds(() -> assertThat(rows.get(get).getValue(FAMILY, QUALIFIER)).isEqualTo(a));
      table.assertComplete();
    }
  }

  @Test
  void takesNoMoreRowsASecondThanItMay() throws Exception {
    try (BuiltTable table = BuiltTable.filled("slow", 100)) {
      table.createIndex(BuiltTable.definition("deferred"));
      BuildReport report =
          table
              .admin()
              .build(
                  table.name(),
                  INDEX,
                  BuildOptions.DEFAULT.withRowsPerSecond(50),
                  ProgressListener.NONE);
      // A second's worth may have been saved.
      assertThat(report.reading().toMillis()).isGreaterThan(900);
      table.assertComplete();
    }
  }
}
