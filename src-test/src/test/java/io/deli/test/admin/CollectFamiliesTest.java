package io.deli.test.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.CollectReport;
import io.deli.client.DeliAdmin;
import io.deli.client.ProgressListener;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.BaseVersion;
import io.deli.test.cluster.Background;
import io.deli.test.cluster.Gate;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A collection tells whether the indexed families were compacted, whatever became of others. */
class CollectFamiliesTest {
  private static final String OTHER = "g";

  /** Returns hooks that fail the table's compactions of a family. */
  private static HookObserver failing(TestTable table, String family) throws IOException {
    return HookObserver.on(table.name())
        .each(
            Moment.COMPACTION,
            store -> store.getColumnFamilyName().equals(family),
            (region, store) -> {
              throw new IOException("as the test wants it");
            });
  }

  private static TestTable create() throws IOException {
    return TestTable.createAsOperator(
        TestTable.describe("families", 1).setColumnFamily(ColumnFamilyDescriptorBuilder.of(OTHER)),
        List.of(TestTable.byQ()));
  }

  private static TestTable createFiles() throws IOException {
    TestTable table = create();
    for (int i = 0; i < 3; i++) {
      put(table, TestTable.put("row", "v" + i));
    }
    put(
        table,
        new Put(Bytes.toBytes("row"))
            .addColumn(Bytes.toBytes(OTHER), TestTable.OTHER, TestTable.OTHER));
    return table;
  }

  private static void put(TestTable table, Put put) throws IOException {
    try (Table rows = table.table()) {
      rows.put(put);
    }
    table.flush();
  }

  /** Has the other family compacted for as long as the gate is closed. */
  private static Gate occupy(TestTable table) throws Exception {
    TestTable.alter(
        table.name(),
        descriptor ->
            // A thread for the other family only, as those of many bytes have.
            descriptor.modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(ColumnFamilyDescriptorBuilder.of(OTHER))
                    .setConfiguration("hbase.regionserver.thread.compaction.throttle", "1")
                    .build()));
    Gate gate = new Gate();
    HookObserver.on(table.name())
        .at(1, Moment.COMPACTION, store -> store.getColumnFamilyName().equals(OTHER), gate);
    try (Admin admin = table.plain().getAdmin()) {
      admin.majorCompact(table.name(), Bytes.toBytes(OTHER));
    }
    assertThat(gate.arrives()).isTrue();
    return gate;
  }

  private static CollectReport collect(TestTable table) throws IOException {
    return DeliAdmin.of(table.plain()).collect(table.name(), ProgressListener.NONE);
  }

  @Test
  void aRegionWhoseIndexedFamilyCannotBeCompacted_isLeft() throws IOException {
    TestTable table = createFiles();
    String region = table.regions().get(0).getRegionInfo().getRegionNameAsString();
    HookObserver failing = failing(table, "f");
    assertThat(collect(table).left()).containsExactly(region);
    // Its file of before was compacted whole, too.
    failing.clear();
    assertThat(collect(table).left()).isEmpty();
    put(table, TestTable.put("row", "later"));
    failing(table, "f");
    assertThat(collect(table).left()).containsExactly(region);
    assertThat(collect(table).left()).containsExactly(region);
  }

  @Test
  void aRegionThatHadAllInMemory_isNot() throws IOException {
    TestTable table = create();
    try (Table rows = table.table()) {
      rows.put(TestTable.put("row", "v"));
    }
    assertThat(collect(table).left()).isEmpty();
  }

  /** That does not compact it, and HBase passes over the request for another. */
  @Test
  void whatIsFlushedAmidACompaction_isCompacted() throws Exception {
    TestTable table = create();
    Gate gate = new Gate();
    HookObserver.on(table.name()).once(Moment.COMPACTION, gate);
    put(table, TestTable.put("row", "v"));
    try (Admin admin = table.plain().getAdmin();
        Table rows = table.table()) {
      admin.majorCompact(table.name());
      assertThat(gate.arrives()).isTrue();
      rows.put(TestTable.put("row", "dead"));
      rows.put(TestTable.put("row", "living"));
    }
    // Once it is flushed.
    ProgressListener open = (what, done, of) -> gate.open();
    assertThat(DeliAdmin.of(table.plain()).collect(table.name(), open).left()).isEmpty();
    assertThat(table.raw()).hasSize(1);
  }

  /** As amid many writes, of which one compaction follows the other. */
  @Test
  void aRegionThatIsNeverSeenWithoutACompaction_isCompacted() throws Exception {
    TestTable table = createFiles();
    Gate gate = occupy(table);
    try {
      assertThat(Background.call(() -> collect(table).left()).get(1, TimeUnit.MINUTES)).isEmpty();
      assertThat(table.raw()).hasSize(2);
    } finally {
      gate.open();
    }
  }

  /**
   * @param call by its number among those that ask the region
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void anInterruptWhileARegionIsAsked_endsACollection(int call) throws Exception {
    TestTable table = createFiles();
    Gate gate = new Gate();
    HookObserver.on(table.name()).at(call, Moment.CALL, "Kept"::equals, gate);
    AtomicBoolean interrupted = new AtomicBoolean();
    FutureTask<CollectReport> collection =
        new FutureTask<>(
            () -> {
              try {
                return collect(table);
              } finally {
                interrupted.set(Thread.interrupted());
              }
            });
    Thread thread = new Thread(collection);
    thread.start();
    try {
      assertThat(gate.arrives()).isTrue();
      thread.interrupt();
      assertThat(collection)
          .failsWithin(Duration.ofMinutes(1))
          .withThrowableOfType(ExecutionException.class)
          .withCauseExactlyInstanceOf(InterruptedIOException.class);
      assertThat(interrupted).isTrue();
    } finally {
      gate.open();
    }
  }

  @Test
  void aRegionWhoseOtherFamilyCannotBeCompacted_isNot() throws IOException {
    TestTable table = createFiles();
    HookObserver failing = failing(table, OTHER);
    assertThat(collect(table).left()).isEmpty();
    failing.clear();
    assertThat(collect(table).left()).isEmpty();
  }

  /** The index beside it is collected. */
  @Test
  void anIndexWhoseFamilyIsGone_isTold() throws IOException {
    TestTable table =
        TestTable.createAsOperator(
            TestTable.describe("gone", 1).setColumnFamily(ColumnFamilyDescriptorBuilder.of(OTHER)),
            List.of(
                IndexDefinition.on("by_gone", Column.of(Bytes.toBytes(OTHER), TestTable.OTHER)),
                TestTable.byQ()));
    BaseVersion failed = new BaseVersion(Bytes.toBytes("row"), Bytes.toBytes("v"), 5, WriteId.NONE);
    table.putEntries(failed);
    MiniCluster.utility().getAdmin().deleteColumnFamily(table.name(), Bytes.toBytes(OTHER));
    assertThatThrownBy(() -> collect(table))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContainingAll("by_gone", "not swept", "Drop the index");
    assertThat(table.entries()).containsExactly("by_gone:v>row@5");
  }
}
