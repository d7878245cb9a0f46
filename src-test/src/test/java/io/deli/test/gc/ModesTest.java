package io.deli.test.gc;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.gc.TroubleTest.admin;
import static io.deli.test.gc.TroubleTest.assertCollected;
import static io.deli.test.gc.TroubleTest.assertKept;
import static io.deli.test.gc.TroubleTest.overwrite;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.entry.WriteId;
import io.deli.service.DrawnTimestamp;
import io.deli.test.cluster.Counters;
import io.deli.test.cluster.FailingTokenizer;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is peculiar to one mode of garbage collection, or the same in all. */
class ModesTest {
  @ParameterizedTest
  @EnumSource(names = {"STREAMING", "BEFORE"})
  void aKilledCompactionLosesNothing(Mode mode) throws Exception {
    try (CompactedTable table = mode.waiting("killed", 60_000)) {
      overwrite(table);
      admin().disableTable(table.index().table());
      FutureTask<Void> compaction = table.majorTask();
      Thread thread = new Thread(compaction);
      Counters.awaitFlying(thread::start);
      thread.interrupt();
      assertThat(compaction)
          .as("HBase takes an interrupt as a stop")
          .succeedsWithin(20, TimeUnit.SECONDS);
      assertKept(table);
      admin().enableTable(table.index().table());
      assertCollected(table);
    }
  }

  /**
   * It is no fault of a plug-in's that could be contained; whether the server ends is the JVM's.
   */
  @Test
  void memoryThatRunsOutFailsTheCompactionAndFreesWhatItHolds() throws Exception {
    try (CompactedTable table =
        Mode.STREAMING.create(
            "memory",
            1,
            List.of(TestTable.byQ().withTokenizer(FailingTokenizer.class.getName())),
            "deli.gc.window.bytes",
            "2000")) {
      for (int row = 0; row < 20; row++) {
        table.write("row%02d".formatted(row), 1, row == 19 ? "last" : "old");
        table.write("row%02d".formatted(row), 2, "new");
      }
      table.flush();
      FailingTokenizer.fail("last"::equals, () -> new OutOfMemoryError("of the test"));
      try {
        Assertions.assertThatThrownBy(() -> table.region().compact(true))
            .isInstanceOf(OutOfMemoryError.class);
        assertThat(Counters.value("deletesHeld")).isZero();
        assertThat(table.raw()).hasSize(40);
      } finally {
        FailingTokenizer.work();
      }
      table.major();
      assertThat(table.raw()).hasSize(20);
      assertThat(table.entrySet()).isEqualTo(table.justified()).hasSize(20);
    }
  }

  @Test
  void anUnknownModeIsStreaming() throws Exception {
    try (CompactedTable table =
        CompactedTable.create(
            TestTable.describe("mode", 1),
            List.of(TestTable.byQ()),
            1,
            "deli.gc.mode",
            "sometimes",
            "deli.gc.windows.inflight",
            "none",
            "deli.repair.grace.ms",
            "soon")) {
      overwrite(table);
      assertCollected(table);
    }
  }

  @Test
  void offLeavesEverythingToHBase() throws Exception {
    try (CompactedTable table =
        CompactedTable.create(
            TestTable.describe("off", 1), List.of(TestTable.byQ()), 1, "deli.gc.mode", "off")) {
      overwrite(table);
      assertThat(table.raw()).as("HBase drops at flush").hasSize(2);
      table.major();
      assertThat(table.entrySet()).hasSize(3);
    }
  }

  /** Broken, or of a write that comes when readers may have deleted its entries. */
  @ParameterizedTest
  @ValueSource(longs = {0, 3_600_000})
  void aBrokenOrOldIdentityIsRefused(long age) throws Exception {
    try (CompactedTable table = Mode.STREAMING.create("identity", 1)) {
      byte[] id =
          age == 0
              ? new byte[] {1, 2, 3}
              : WriteId.of(System.currentTimeMillis() - age, 1).toBytes();
      Put put = new Put(Bytes.toBytes("k")).addColumn(FAMILY, QUALIFIER, 1, Bytes.toBytes("v1"));
      put.setAttribute(WriteId.ATTRIBUTE, id);
      Put other = new Put(Bytes.toBytes("k")).addColumn(FAMILY, FAMILY, Bytes.toBytes("v1"));
      Assertions.assertThatThrownBy(() -> table.base().put(put))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(age == 0 ? "write id" : "comes so late");
      // Of which HBase would apply the other, and say that it applied both.
      RowMutations both = RowMutations.of(List.of(other, put));
      Assertions.assertThatThrownBy(() -> table.base().mutateRow(both))
          .isInstanceOf(IOException.class);
      assertThat(table.raw()).isEmpty();
    }
  }

  /** Its client draws anew then; a late identity has it fail. */
  @Test
  void whatItsTimestampIsRefusedForIsToldSoFirst() throws Exception {
    try (CompactedTable table = Mode.STREAMING.create("identity", 1)) {
      long drawn = System.currentTimeMillis() - 3_600_000;
      Put put =
          new Put(Bytes.toBytes("k")).addColumn(FAMILY, QUALIFIER, drawn, Bytes.toBytes("v1"));
      new DrawnTimestamp(drawn, false, false).setOn(put);
      put.setAttribute(WriteId.ATTRIBUTE, WriteId.of(drawn, 1).toBytes());
      Assertions.assertThatThrownBy(() -> table.base().put(put))
          .hasMessageContaining("was not admitted");
      CheckAndMutate conditional =
          CheckAndMutate.newBuilder(put.getRow()).ifNotExists(FAMILY, QUALIFIER).build(put);
      Assertions.assertThatThrownBy(() -> table.base().checkAndMutate(conditional))
          .hasMessageContaining("was not admitted");
    }
  }

  @Test
  void countsWhatItDoes() throws Exception {
    try (CompactedTable table = Mode.STREAMING.create("metrics", 1)) {
      overwrite(table);
      List<String> names = List.of("cellsSeen", "cellsDying", "deletesSent", "deletesAcknowledged");
      List<Long> before = names.stream().map(Counters::value).toList();
      table.major();
      List<Long> after = names.stream().map(Counters::value).toList();
      assertThat(after)
          .containsExactly(
              before.get(0) + 3, before.get(1) + 1, before.get(2) + 1, before.get(3) + 1);
    }
  }
}
