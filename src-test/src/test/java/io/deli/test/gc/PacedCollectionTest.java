package io.deli.test.gc;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.CollectReport;
import io.deli.client.DeliAdmin;
import io.deli.client.ProgressListener;
import io.deli.test.cluster.Counters;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.tools.Cli;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Collection takes the time that the index needs, in memory that does not depend on what dies, and
 * what the index has acknowledged is gone whatever happens next.
 */
class PacedCollectionTest {
  private static final int WINDOWS = 2;

  @BeforeEach
  void heal() {
    SlowIndex.reset();
  }

  @AfterEach
  void healAgain() {
    SlowIndex.reset();
  }

  private static CompactedTable table(String stem, long windowBytes, long timeoutMillis)
      throws IOException {
    CompactedTable table =
        CompactedTable.create(
            TestTable.describe(stem, 1),
            List.of(TestTable.byQ().withTokenizer(ManyTokens.class.getName())),
            1,
            "deli.gc.window.bytes",
            "" + windowBytes,
            "deli.gc.windows.inflight",
            "" + WINDOWS,
            "deli.gc.timeout.ms",
            "" + timeoutMillis);
    TestTable.alter(
        table.index().table(), index -> index.setCoprocessor(SlowIndex.class.getName()));
    return table;
  }

  /** Versions without entries: to delete an entry that is not there costs the same. */
  private static void write(CompactedTable table, int rows, int versions, String value)
      throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      for (int version = 1; version <= versions; version++) {
        puts.add(
            new Put(Bytes.toBytes("row%07d".formatted(row)))
                .addColumn(FAMILY, QUALIFIER, version, Bytes.toBytes(value)));
        if (puts.size() == 4_000) {
          table.base().put(puts);
          puts.clear();
        }
      }
    }
    table.base().put(puts);
    table.flush();
  }

  private static void writeIndexed(CompactedTable table, int rows) throws IOException {
    for (int row = 0; row < rows; row++) {
      table.write("row%03d".formatted(row), 1, "a1");
      table.write("row%03d".formatted(row), 2, "b1");
    }
    table.flush();
  }

  /** That a compaction may hold, if each takes at least so many bytes. */
  private static long bound(long windowBytes, long bytesEach) {
    return WINDOWS * (windowBytes / bytesEach + 1);
  }

  /**
   * 300,000 deletes; by base bytes alone, one window of so many bytes would hold 8,000 of them.
   * With {@code -Ddeli.gc.test.rows=833334} they are 10,000,000.
   */
  @Test
  void memoryDoesNotDependOnWhatDies() throws Exception {
    int rows = Integer.getInteger("deli.gc.test.rows", 25_000);
    long window = Long.getLong("deli.gc.test.window", 64 << 10);
    try (CompactedTable table = table("many", window, 10_000)) {
      write(table, rows, 2, "x12");
      SlowIndex.forget();
      table.major();
      assertThat(SlowIndex.taken()).isEqualTo(12L * rows);
      assertThat(SlowIndex.mostHeld()).isPositive().isLessThanOrEqualTo(bound(window, 150));
      assertThat(Counters.value("deletesHeld")).isZero();
      assertThat(MiniCluster.utility().countRows(table.name())).isEqualTo(rows);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"one cell with x10000 tokens", "50000 versions of x1", "5000 of x12"})
  void oneRowDoesNotEither(String what) throws Exception {
    long window = 64 << 10;
    int versions =
        what.startsWith("one") ? 2 : Integer.parseInt(what.substring(0, what.indexOf(' ')));
    String value = what.startsWith("one") ? "x10000" : what.substring(what.lastIndexOf('x'));
    try (CompactedTable table = table("one_row", window, 10_000)) {
      write(table, 1, versions, value);
      SlowIndex.forget();
      table.major();
      assertThat(SlowIndex.mostHeld()).isPositive().isLessThanOrEqualTo(bound(window, 90));
      assertThat(table.raw()).hasSize(1);
    }
  }

  @Test
  void anIndexThatIsSlowIsGivenTheTimeItNeeds() throws Exception {
    try (CompactedTable table = table("slow", 1 << 20, 5_000)) {
      writeIndexed(table, 300);
      SlowIndex.slow(50);
      table.major();
      assertThat(table.raw()).as("after three time-outs").hasSize(300);
      assertThat(table.entrySet()).isEqualTo(table.justified()).hasSize(300);
      assertThat(SlowIndex.mostTogether())
          .as("no request takes as long as the time-out")
          .isLessThan(100);
    }
  }

  @Test
  void whatWasAcknowledgedCounts() throws Exception {
    try (CompactedTable table = table("ends", 8 << 10, 5_000)) {
      writeIndexed(table, 300);
      SlowIndex.endAfter(100);
      long begin = System.nanoTime();
      table.major();
      assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin))
          .as("waits once")
          .isLessThan(14_000);
      SlowIndex.reset();
      assertThat(table.raw()).hasSizeBetween(300 + 100, 600 - 50);
      assertThat(table.entrySet())
          .hasSizeBetween(300 + 100, 600 - 50)
          .containsAll(table.justified());
      table.major();
      assertThat(table.raw()).hasSize(300);
      assertThat(table.entrySet()).isEqualTo(table.justified());
    }
  }

  /** The deletes of all rows are in one window, of which one is refused. */
  @ParameterizedTest
  @ValueSource(ints = {0, 7, 39})
  void theOneRowWhoseDeleteFailsStays(int row) throws Exception {
    try (CompactedTable table = table("refused", 1 << 20, 10_000)) {
      writeIndexed(table, 40);
      SlowIndex.refuse(entry -> entry.contains("row%03d".formatted(row)));
      table.major();
      assertThat(table.raw()).hasSize(41);
      Set<String> expected =
          IntStream.range(0, 40)
              .mapToObj(i -> entry("b1-0", "row%03d".formatted(i), 2))
              .collect(Collectors.toSet());
      expected.add(entry("a1-0", "row%03d".formatted(row), 1));
      assertThat(table.entrySet()).containsExactlyInAnyOrderElementsOf(expected);
      SlowIndex.reset();
      table.major();
      assertThat(table.entrySet()).isEqualTo(table.justified()).hasSize(40);
    }
  }

  @Test
  void anIndexRegionMayMoveMeanwhile() throws Exception {
    try (CompactedTable table = table("moves", 16 << 10, 120_000)) {
      writeIndexed(table, 300);
      SlowIndex.slow(5);
      FutureTask<Void> compaction = table.majorTask();
      Counters.awaitFlying(() -> new Thread(compaction).start());
      RegionInfo region = TroubleTest.admin().getRegions(table.index().table()).get(0);
      TroubleTest.admin().move(region.getEncodedNameAsBytes());
      compaction.get(5, TimeUnit.MINUTES);
      assertThat(table.raw()).hasSize(300);
      assertThat(table.entrySet()).isEqualTo(table.justified());
    }
  }

  @Test
  void collectSaysWhatItCouldNotCollect() throws Exception {
    try (CompactedTable table = table("told", 1 << 20, 10_000)) {
      writeIndexed(table, 20);
      SlowIndex.refuse(entry -> entry.contains("row003") || entry.contains("row011"));
      DeliAdmin admin = DeliAdmin.of(MiniCluster.connection());
      CollectReport report = admin.collect(table.name(), ProgressListener.NONE);
      assertThat(report.isComplete()).isFalse();
      assertThat(report.left()).isEmpty();
      assertThat(report.kept())
          .containsOnlyKeys(table.region().getRegionInfo().getRegionNameAsString())
          .containsValue(2L);
      Cli deli = new Cli("--zookeeper", MiniCluster.zooKeeper());
      Cli.Outcome outcome = deli.run("collect", table.name().getNameAsString());
      assertThat(outcome.code()).isEqualTo(3);
      assertThat(outcome.err()).contains("2 versions of 1 regions");
      SlowIndex.reset();
      assertThat(deli.run("collect", table.name().getNameAsString()).code()).isZero();
      assertThat(table.entrySet()).isEqualTo(table.justified()).hasSize(20);
    }
  }
}
