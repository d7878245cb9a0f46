package io.deli.test.gc;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.DeliRegionObserver;
import io.deli.entry.WriteId;
import io.deli.test.cluster.Counters;
import io.deli.test.cluster.FailingTokenizer;
import io.deli.test.cluster.FailingTokenizer.Failure;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No delete is lost and no living cell dropped, whatever happens to the index or the compaction.
 */
@ParameterizedClass
@EnumSource
class TroubleTest {
  @Parameter Mode mode;

  static Admin admin() throws IOException {
    return MiniCluster.utility().getAdmin();
  }

  static void overwrite(CompactedTable table) throws IOException {
    table.write("k", 1, "A");
    table.write("k", 2, "B");
    table.write("untouched", 1, "A");
    table.flush();
  }

  static void assertKept(CompactedTable table) throws IOException {
    assertThat(table.raw()).hasSize(3);
    assertThat(table.justified()).hasSize(2);
  }

  static void assertCollected(CompactedTable table) throws IOException {
    table.major();
    assertThat(table.entrySet())
        .containsExactly(entry("A", "untouched", 1), entry("B", "k", 2))
        .isEqualTo(table.justified());
    assertThat(table.raw()).hasSize(2);
  }

  static void assertObserved(CompactedTable table) {
    assertThat(
            table.region().getCoprocessorHost().findCoprocessor(DeliRegionObserver.class.getName()))
        .isNotNull();
  }

  @Test
  void aDisabledIndexIsWaitedForOnceAndCollectedLater() throws Exception {
    try (CompactedTable table = mode.waiting("disabled", 5_000)) {
      table.write("k", 1, "A");
      table.write("k", 2, "B");
      table.write("untouched", 1, "A");
      admin().disableTable(table.index().table());
      long begin = System.nanoTime();
      table.flush();
      assertThat(since(begin)).as("a flush does not wait").isLessThan(Duration.ofMillis(4_500));
      begin = System.nanoTime();
      table.major();
      assertThat(since(begin)).as("a compaction waits once").isLessThan(Duration.ofSeconds(25));
      assertKept(table);
      admin().enableTable(table.index().table());
      assertThat(table.entrySet()).hasSize(3);
      assertCollected(table);
    }
  }

  @Test
  void anIndexThatIsGoneNeedsNoDeletes() throws Exception {
    try (CompactedTable table = mode.waiting("gone", 10_000)) {
      overwrite(table);
      admin().disableTable(table.index().table());
      admin().deleteTable(table.index().table());
      table.major();
      assertThat(table.raw()).hasSize(2);
    }
  }

  @Test
  void anIndexRegionThatIsOfflineIsCollectedLater() throws Exception {
    try (CompactedTable table = mode.waiting("offline", 5_000)) {
      overwrite(table);
      byte[] region = CompactedTable.unassign(table.index().table());
      table.major();
      assertKept(table);
      admin().assign(region);
      assertThat(table.entrySet()).hasSize(3);
      assertCollected(table);
    }
  }

  @Test
  void anIndexRegionMaySplitMeanwhile() throws Exception {
    try (CompactedTable table = mode.waiting("splitting", 20_000)) {
      overwrite(table);
      for (int i = 0; i < 20; i++) {
        table.write("row" + i, 1, "v" + i);
      }
      var split =
          admin()
              .splitRegionAsync(
                  admin().getRegions(table.index().table()).get(0).getRegionName(),
                  Bytes.toBytes("v"));
      table.flushAndMajor();
      split.get(60, TimeUnit.SECONDS);
      table.major();
      assertThat(table.entrySet()).isEqualTo(table.justified()).hasSize(22);
    }
  }

  @Test
  void aRegionClosesWithoutTheIndex() throws Exception {
    try (CompactedTable table = mode.waiting("closing", 120_000)) {
      overwrite(table);
      admin().disableTable(table.index().table());
      Counters.awaitFlying(() -> admin().majorCompact(table.name()));
      long begin = System.nanoTime();
      byte[] region = CompactedTable.unassign(table.name());
      assertThat(since(begin)).isLessThan(Duration.ofSeconds(45));
      admin().assign(region);
      MiniCluster.utility().waitUntilAllRegionsAssigned(table.name());
      assertKept(table);
      admin().enableTable(table.index().table());
      assertCollected(table);
    }
  }

  @Test
  void theMarkersOfAWideRowStayWithWhatTheyMask() throws Exception {
    try (CompactedTable table =
        mode.create(
            "wide_trouble", 1, "deli.gc.timeout.ms", "5000", "deli.gc.window.bytes", "64")) {
      Put put = put(1);
      put.addColumn(FAMILY, Bytes.toBytes("before_q"), 1, new byte[100]);
      table.write(put, WriteId.NONE);
      table.flush();
      table.delete(CompactedTable.deleteOf("k").addFamily(FAMILY, 5));
      table.flush();
      admin().disableTable(table.index().table());
      table.major();
      assertThat(table.justified()).as("the deleted must not live again").isEmpty();
      admin().enableTable(table.index().table());
      assertThat(table.entrySet()).hasSize(1);
      table.major();
      assertThat(table.entrySet()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTokenizerThatFailsFailsNothingElse(Failure failure) throws Exception {
    try (CompactedTable table =
        mode.create(
            "tokenizer",
            1,
            List.of(TestTable.byQ().withTokenizer(FailingTokenizer.class.getName())))) {
      table.write("k", 1, "A");
      table.write("k", 2, "B");
      table.write("untouched", 1, "A");
      FailingTokenizer.fail(Set.of("A", "B")::contains, failure);
      try {
        table.flush();
        table.major();
        assertThat(table.raw()).hasSize(3);
        assertObserved(table);
      } finally {
        FailingTokenizer.work();
      }
      assertCollected(table);
    }
  }

  @Test
  void aDefinitionOfANewerVersionLosesNothing() throws Exception {
    try (CompactedTable table =
        mode.create("newer", 1, List.of(), "deli.index.future", "{\"version\":99}")) {
      for (int i = 1; i <= 3; i++) {
        table.base().put(put(i));
      }
      table.flushAndMajor();
      assertThat(table.raw()).hasSize(3);
    }
  }

  private static Put put(long timestamp) {
    return new Put(Bytes.toBytes("k"))
        .addColumn(FAMILY, QUALIFIER, timestamp, Bytes.toBytes("v" + timestamp));
  }

  private static Duration since(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime);
  }
}
