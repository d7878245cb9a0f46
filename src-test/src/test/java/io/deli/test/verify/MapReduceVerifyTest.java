package io.deli.test.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.Finding.Kind;
import io.deli.client.ProgressListener;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyPosition;
import io.deli.client.VerifyReport;
import io.deli.entry.EntryCodec;
import io.deli.test.cluster.Background;
import io.deli.test.cluster.Gate;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli;
import io.deli.test.tools.Cli.Outcome;
import io.deli.tools.mapreduce.VerifyJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verification by jobs of Hadoop's local runner finds what threads find. */
class MapReduceVerifyTest {
  private static final VerifyOptions ALL = VerifyOptions.DEFAULT.withSamples(100);

  /** So long ago that no writer is under way. */
  private static final long OLD = 1_000;

  /** Rows in each of the table's regions, with values in each of the index's. */
  private static VerifiedTable filled() throws IOException {
    VerifiedTable table = VerifiedTable.of(List.of("deferred", "lazy"));
    for (String row : List.of("a", "b", "h", "j", "m", "x")) {
      table.putEntries(row, row + row, OLD);
      table.writePastDeli(row, row + row, OLD);
    }
    return table;
  }

  private static void assertAsByThreads(
      VerifiedTable table, String strategy, VerifyOptions options, String... findings)
      throws IOException {
    VerifyReport job = table.verifyByJob(strategy, options);
    VerifyReport threads = table.verify(strategy, options);
    assertThat(VerifiedTable.texts(job)).as(strategy).containsExactlyInAnyOrder(findings);
    assertThat(job.found()).as(strategy).isEqualTo(threads.found());
    assertThat(job.versions()).as(strategy).isEqualTo(threads.versions());
    assertThat(job.entries()).as(strategy).isEqualTo(threads.entries());
    assertThat(job.isComplete()).isTrue();
  }

  @Test
  void findsAMissingEntryAndOneWithoutRow() throws Exception {
    try (VerifiedTable table = filled()) {
      assertAsByThreads(table, "deferred", ALL);
      table.writePastDeli("c", "v", OLD);
      table.writePastDeli("y", "a", OLD);
      table.putEntries("k", "z", OLD);
      String c = "MISSING " + VerifiedTable.entryOf("c", "v", OLD);
      String y = "MISSING " + VerifiedTable.entryOf("y", "a", OLD);
      String k = VerifiedTable.entryOf("k", "z", OLD).toString();
      assertAsByThreads(table, "deferred", ALL, c, y, "DANGLING " + k);
      assertAsByThreads(table, "lazy", ALL, c, y, "OBSOLETE " + k);
      assertAsByThreads(
          table, "deferred", ALL.withRange(Bytes.toBytes("b"), Bytes.toBytes("k")), c);

      VerifyReport limited = table.verifyByJob("deferred", ALL.withSamples(1));
      assertThat(limited.samples()).hasSize(2);
      assertThat(limited.found()).isEqualTo(Map.of(Kind.MISSING, 2L, Kind.DANGLING, 1L));

      assertThat(table.verifyByJob("deferred", ALL.withRepair()).written()).isEqualTo(2);
      assertThat(table.verifyByJob("deferred", ALL).count(Kind.MISSING)).isZero();
    }
  }

  @Test
  void sumsAgreeOrLeadToWhatDiffers() throws Exception {
    try (VerifiedTable table = filled()) {
      assertAsByThreads(table, "lazy", ALL.withSums());
      table.writePastDeli("c", "v", OLD);
      table.putEntries("n", "v", OLD);
      String missing = "MISSING " + VerifiedTable.entryOf("c", "v", OLD);
      String stale = VerifiedTable.entryOf("n", "v", OLD).toString();
      assertAsByThreads(table, "lazy", ALL.withSums(), missing, "OBSOLETE " + stale);
      assertAsByThreads(table, "deferred", ALL.withSums(), missing, "DANGLING " + stale);
      assertAsByThreads(
          table,
          "deferred",
          ALL.withSums().withRange(Bytes.toBytes("b"), Bytes.toBytes("k")),
          missing);

      try (Table index = MiniCluster.connection().getTable(table.indexOf("lazy").table())) {
        index.put(new Put(Bytes.toBytes("none")).addColumn(EntryCodec.family(), null, null));
      }
      VerifyReport unreadable = table.verifyByJob("lazy", ALL.withSums());
      assertThat(unreadable.found())
          .isEqualTo(Map.of(Kind.MISSING, 1L, Kind.MISMATCHED, 1L, Kind.OBSOLETE, 1L));
    }
  }

  /** All mappers that read the base table wait meanwhile. */
  @Test
  void regionsSplitAndMoveUnderIt() throws Exception {
    try (VerifiedTable table = filled();
        Admin admin = MiniCluster.connection().getAdmin()) {
      table.writePastDeli("c", "v", OLD);
      table.putEntries("k", "z", OLD);
      Gate hold = new Gate();
      HookObserver.on(table.name()).each(Moment.SCAN, hold);
      CompletableFuture<VerifyReport> report =
          Background.call(() -> table.verifyByJob("deferred", ALL));
      assertThat(hold.arrives()).isTrue();
      RegionInfo first = admin.getRegions(table.name()).get(0);
      admin.splitRegionAsync(first.getRegionName(), Bytes.toBytes("b")).get(2, TimeUnit.MINUTES);
      MiniCluster.spread(table.name());
      MiniCluster.spread(table.indexOf("deferred").table());
      hold.open();
      VerifyReport found = report.get(2, TimeUnit.MINUTES);
      assertThat(VerifiedTable.texts(found))
          .containsExactlyInAnyOrder(
              "MISSING " + VerifiedTable.entryOf("c", "v", OLD),
              "DANGLING " + VerifiedTable.entryOf("k", "z", OLD));
      assertThat(found.versions()).isEqualTo(7);
      assertThat(found.entries()).isEqualTo(7);
      assertThat(admin.getRegions(table.name())).hasSize(4);
    }
  }

  @Test
  void refusesToGoOnOrToBeSlow() throws Exception {
    try (VerifiedTable table = VerifiedTable.of(List.of("deferred"))) {
      VerifyPosition start = VerifyPosition.parse("BASE:");
      for (VerifyOptions options : List.of(ALL.withPosition(start), ALL.withRate(5))) {
        assertThatThrownBy(
                () ->
                    table
                        .admin()
                        .verify(
                            table.name(),
                            "deferred",
                            options,
                            new VerifyJob(),
                            ProgressListener.NONE))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("give no position, no time and no rate");
      }
    }
  }

  @Test
  void theCommandReportsAsByThreads(@TempDir Path conf) throws Exception {
    MiniCluster.writeSite(MiniCluster.configuration(), conf);
    Cli deli = new Cli("--conf", conf.toString(), "--json");
    try (VerifiedTable table = filled()) {
      String name = table.name().getNameAsString();
      assertThat(deli.run("verify", name, "deferred", "--mapreduce").code()).isZero();
      table.writePastDeli("c", "v", OLD);
      for (String option : List.of("--samples=5", "--checksum")) {
        Outcome threads = deli.run("verify", name, "deferred", option);
        Outcome job = deli.run("verify", name, "deferred", option, "--mapreduce");
        assertThat(job.code()).as(job.err()).isEqualTo(5).isEqualTo(threads.code());
        assertThat(job.out()).isEqualTo(threads.out()).contains("\"missing\": 1");
      }
      table.admin().disable(table.name(), "lazy");
      try (Admin admin = MiniCluster.connection().getAdmin()) {
        admin.disableTable(table.indexOf("lazy").table());
      }
      Outcome failed = deli.run("verify", name, "lazy", "--mapreduce");
      assertThat(failed.code()).isEqualTo(1);
      assertThat(failed.err()).contains(table.indexOf("lazy").table() + " is disabled");
    }
  }
}
