package io.deli.test.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliTable;
import io.deli.client.Finding;
import io.deli.client.Finding.Kind;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.entry.EntryCodec;
import io.deli.index.InvalidIndexException;
import io.deli.lab.torture.Audit;
import io.deli.strategy.Index;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Verification finds what was damaged, under the right name, and nothing else; and cures it. */
class VerifyTest {
  private static final VerifyOptions ALL = VerifyOptions.DEFAULT.withSamples(100);

  /** So long ago that no writer is under way. */
  private static final long OLD = 1_000;

  /** Five kinds of damage, among rows in order. */
  private static void damage(VerifiedTable table) throws IOException {
    for (int i = 0; i < 30; i++) {
      table.write("sound" + i, "v" + i % 3);
    }
    table.writePastDeli("bypassed", "v1", OLD);

    table.putEntries("lost", "v1", OLD);
    table.writePastDeli("lost", "v1", OLD);
    table.deleteEntries("lost", "v1", OLD);

    table.putEntries("changed", "v1", OLD);
    table.writePastDeli("changed", "v1", OLD);
    table.writePastDeli("changed", "v2", OLD);

    table.putEntries("nobody", "v1", OLD);

    table.write("superseded", "v2");
    table.putEntries("superseded", "v1", OLD);
    table.writePastDeli("superseded", "v1", OLD);
  }

  private static Map<String, VerifyReport> verifyAll(VerifiedTable table, VerifyOptions options) {
    Map<String, VerifyReport> reports = new ConcurrentSkipListMap<>();
    table.strategies().parallelStream()
        .forEach(
            strategy -> {
              try {
                reports.put(strategy, table.verify(strategy, options));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return reports;
  }

  @Test
  void findsEachDamageAndCuresIt() throws Exception {
    try (VerifiedTable table = VerifiedTable.of(VerifiedTable.STRATEGIES)) {
      damage(table);

      List<String> before = cells(table);
      verifyAll(table, ALL).forEach(VerifyTest::assertFound);
      assertThat(cells(table)).isEqualTo(before);

      verifyAll(table, ALL.withRepair())
          .forEach(
              (strategy, report) -> {
                assertThat(report.count(Kind.MISSING)).as(strategy).isEqualTo(3);
                assertThat(report.written()).as(strategy).isEqualTo(3);
              });
      Eventually.holdsElsewhere(
          () ->
              verifyAll(table, ALL)
                  .forEach(
                      (strategy, report) ->
                          assertThat(VerifiedTable.texts(report))
                              .as(strategy)
                              .allMatch(text -> text.startsWith("OBSOLETE"))));
      for (String strategy : table.strategies()) {
        assertThat(keys(table, strategy, "v1")).as(strategy).contains("bypassed", "lost");
        assertThat(keys(table, strategy, "v2")).as(strategy).contains("changed", "superseded");
      }
    }
  }

  private static void assertFound(String strategy, VerifyReport report) {
    // Where superseded entries stay behind, nobody can tell what never had a version.
    Kind nobody = strategy.equals("deferred") ? Kind.DANGLING : Kind.OBSOLETE;
    assertThat(VerifiedTable.texts(report))
        .as(strategy)
        .containsExactlyInAnyOrder(
            "MISSING " + VerifiedTable.entryOf("bypassed", "v1", OLD),
            "MISSING " + VerifiedTable.entryOf("lost", "v1", OLD),
            "MISSING " + VerifiedTable.entryOf("changed", "v2", OLD),
            "MISMATCHED " + VerifiedTable.entryOf("changed", "v1", OLD),
            nobody + " " + VerifiedTable.entryOf("nobody", "v1", OLD),
            "OBSOLETE " + VerifiedTable.entryOf("superseded", "v1", OLD));
    assertThat(report.versions()).as(strategy).isEqualTo(34);
    assertThat(report.entries()).as(strategy).isEqualTo(34);
    assertThat(report.isClean()).isFalse();
    assertThat(report.isComplete()).isTrue();
  }

  private static List<String> keys(VerifiedTable table, String index, String value)
      throws IOException {
    try (DeliTable rows = (DeliTable) table.connection().getTable(table.name())) {
      return TestTable.find(rows, ValueQuery.on(index).equalTo(Bytes.toBytes(value)));
    }
  }

  /** A collection names the entries that repair wrote, as if the writer had. */
  @Test
  void whatRepairWroteIsCollected() throws IOException {
    try (VerifiedTable table = VerifiedTable.of(List.of("deferred"))) {
      for (int i = 0; i < 10; i++) {
        table.writeAt("row" + i, "old", OLD + i);
      }
      table.loseEntries();
      for (int i = 10; i < 20; i++) {
        table.writePastDeli("row" + i, "old", OLD + i);
      }
      assertThat(table.verify("deferred", ALL.withRepair()).written()).isEqualTo(20);
      assertThat(table.verify("deferred", ALL).found()).isEmpty();
      for (int i = 0; i < 20; i++) {
        table.write("row" + i, "new");
      }
      // Those with a write id are young, whatever their timestamps.
      assertThat(table.verify("deferred", ALL).found()).isEqualTo(Map.of(Kind.OBSOLETE, 10L));

      table.admin().collect(table.name(), ProgressListener.NONE);

      assertThat(table.verify("deferred", ALL).found()).isEmpty();
      assertThat(Audit.of(MiniCluster.connection(), table.name()).isExact()).isTrue();
    }
  }

  /** Where sums agree, nothing is looked at twice. */
  @Test
  void looksCloserOnlyWhereSumsDiffer() throws IOException {
    try (VerifiedTable table = VerifiedTable.of(VerifiedTable.STRATEGIES)) {
      for (String row : List.of("a", "b", "x", "y", "z")) {
        table.putEntries(row, "v" + row, OLD);
        table.writePastDeli(row, "v" + row, OLD);
      }
      table.write("young", "v");
      table.writePastDeli("younger", "v", System.currentTimeMillis());
      verifyAll(table, ALL.withSums())
          .forEach(
              (strategy, report) -> {
                assertThat(report.found()).as(strategy).isEmpty();
                assertThat(report.versions()).as(strategy).isEqualTo(7);
                assertThat(report.entries()).as(strategy).isEqualTo(6);
              });

      table.writePastDeli("c", "v", OLD);
      verifyAll(table, ALL.withSums())
          .forEach(
              (strategy, report) -> {
                assertThat(VerifiedTable.texts(report))
                    .as(strategy)
                    .containsExactly("MISSING " + VerifiedTable.entryOf("c", "v", OLD));
                assertThat(report.versions()).as(strategy).isEqualTo(8 + 1);
                assertThat(report.entries()).as(strategy).isEqualTo(6);
              });
    }
  }

  /** However many ranges differ: it is ordered by value, and read as a whole. */
  @Test
  void readsTheIndexOnceForAllRangesThatDiffer() throws IOException {
    try (VerifiedTable table = VerifiedTable.of(List.of("deferred"))) {
      for (String row : List.of("a", "k", "x")) {
        table.putEntries(row, "v", OLD);
        table.writePastDeli(row, "v", OLD);
      }
      table.writePastDeli("c", "v", OLD);
      table.putEntries("z", "v", OLD);
      List<String> positions = new ArrayList<>();

      VerifyReport report =
          table
              .admin()
              .verify(
                  table.name(), "deferred", ALL.withSums(), VerifiedTable.hearing(positions::add));

      assertThat(VerifiedTable.texts(report))
          .containsExactly(
              "MISSING " + VerifiedTable.entryOf("c", "v", OLD),
              "DANGLING " + VerifiedTable.entryOf("z", "v", OLD));
      assertThat(report.versions()).isEqualTo(4 + 2);
      assertThat(report.entries()).isEqualTo(4 + 2);
      assertThat(positions).filteredOn(position -> position.startsWith("INDEX:")).hasSize(1);
    }
  }

  @Test
  void whatIsNoEntryIsToldByItsRow() throws IOException {
    try (VerifiedTable table = VerifiedTable.of(List.of("deferred", "lazy"))) {
      table.write("row", "v");
      byte[] foreign = Bytes.toBytes("no token ends here");
      for (String strategy : table.strategies()) {
        try (Table index = MiniCluster.connection().getTable(table.indexOf(strategy).table())) {
          index.put(new Put(foreign).addColumn(EntryCodec.family(), null, null));
        }
      }
      verifyAll(table, ALL)
          .forEach(
              (strategy, report) -> {
                assertThat(report.found()).as(strategy).isEqualTo(Map.of(Kind.MISMATCHED, 1L));
                Finding finding = report.samples().get(0);
                assertThat(finding.entry()).isEmpty();
                assertThat(finding.row()).isEqualTo(foreign);
              });
    }
  }

  /** Nobody knows what is in such a cell: nothing beside it is missing. */
  @Test
  void whatIsNoEntryHidesNoneBesideIt() throws IOException {
    try (VerifiedTable table = VerifiedTable.of(List.of("deferred", "lazy"))) {
      table.putEntries("row", "v", OLD);
      table.writePastDeli("row", "v", OLD);
      for (String strategy : table.strategies()) {
        Index definition = table.indexOf(strategy);
        byte[] row =
            definition
                .strategy()
                .find(definition, VerifiedTable.entryOf("row", "v", OLD))
                .get()
                .getRow();
        try (Table index = MiniCluster.connection().getTable(definition.table())) {
          index.put(
              new Put(row).addColumn(EntryCodec.family(), Bytes.toBytes("foreign"), OLD, null));
        }
      }
      verifyAll(table, ALL.withRepair())
          .forEach(
              (strategy, report) -> {
                assertThat(report.found()).as(strategy).isEqualTo(Map.of(Kind.MISMATCHED, 1L));
                assertThat(report.entries()).as(strategy).isEqualTo(1);
                assertThat(report.written()).as(strategy).isZero();
              });
    }
  }

  @Test
  void aValueThatTheIndexDoesNotTakeHoldsUpNoRepair() throws IOException {
    try (VerifiedTable table = VerifiedTable.of(VerifiedTable.STRATEGIES)) {
      table.writePastDeli("large", "x".repeat(EntryCodec.LONGEST_ROW), OLD);
      table.writePastDeli("small", "v", OLD);

      verifyAll(table, ALL.withRepair())
          .forEach(
              (strategy, report) -> {
                assertThat(report.found())
                    .as(strategy)
                    .isEqualTo(Map.of(Kind.UNINDEXABLE, 1L, Kind.MISSING, 1L));
                assertThat(report.written()).as(strategy).isEqualTo(1);
              });
      verifyAll(table, ALL)
          .forEach(
              (strategy, report) -> {
                assertThat(VerifiedTable.texts(report))
                    .as(strategy)
                    .containsExactly("UNINDEXABLE " + VerifiedTable.entryOf("large", "", OLD));
                assertThat(report.isClean()).as(strategy).isTrue();
              });
    }
  }

  /** No client sees whether an expired version is still there, but its region does. */
  @Test
  void anEntryOfNoVersionIsRepairedWhereVersionsExpire() throws Exception {
    try (VerifiedTable table = VerifiedTable.of(List.of("deferred"))) {
      table.expireAfter(Duration.ofHours(1));
      table.putEntries("nobody", "v", OLD);
      assertThat(table.verify("deferred", ALL).found()).isEqualTo(Map.of(Kind.OBSOLETE, 1L));

      assertThat(table.verify("deferred", ALL.withRepair()).reported()).isEqualTo(1);
      Eventually.holdsElsewhere(() -> assertThat(table.verify("deferred", ALL).found()).isEmpty());
    }
  }

  /** A MapReduce task that tells nothing for long is killed. */
  @Test
  void progressIsToldWhileRepairsTakeLong() throws IOException {
    try (VerifiedTable table = VerifiedTable.of(List.of("composite"))) {
      for (int i = 0; i < 10; i++) {
        table.putEntries("nobody" + i, "v", OLD);
      }
      HookObserver.on(table.name())
          .each(Moment.CALL, "Repair"::equals, (region, method) -> Thread.sleep(500));
      AtomicInteger told = new AtomicInteger();
      VerifyReport report =
          table
              .admin()
              .verify(
                  table.name(),
                  "composite",
                  ALL.withRepair(),
                  (stage, done, total) -> told.incrementAndGet());
      assertThat(report.reported()).isEqualTo(10);
      assertThat(told).hasValueGreaterThan(2);
    }
  }

  @Test
  void anIndexWithoutTableHasNothingToCompare() throws IOException {
    try (VerifiedTable table = VerifiedTable.of(List.of("none"))) {
      assertThatThrownBy(() -> table.verify("none", ALL))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContaining("has no index table");
    }
  }

  /** All that the index of {@code deferred} has, markers too. */
  private static List<String> cells(VerifiedTable table) throws IOException {
    Scan all = new Scan().setRaw(true).readAllVersions();
    return TestTable.cells(MiniCluster.connection(), table.indexOf("deferred").table(), all)
        .stream()
        .map(Object::toString)
        .toList();
  }
}
