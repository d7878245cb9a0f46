package io.deli.test.build;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliTable;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Builds of tables and indexes that are not as a build takes them for. */
class DisturbedBuildTest {
  /** Taken into use again while a build is about to give it another table. */
  @Test
  void anIndexInUseIsNotReplaced() throws Exception {
    try (BuiltTable table = BuiltTable.create("taken")) {
      table.admin().createIndex(table.name(), BuiltTable.definition("deferred"));
      try (DeliTable rows = table.connection().getTable(table.name())) {
        rows.put(put("row", "v"));
      }
      table.admin().disable(table.name(), INDEX);
      AtomicBoolean enabled = new AtomicBoolean();
      ProgressListener enabling =
          (stage, done, total) -> {
            if (stage.contains("making a table") && enabled.compareAndSet(false, true)) {
              enable(table);
            }
          };
      assertThatThrownBy(
              () -> table.admin().build(table.name(), INDEX, BuildOptions.DEFAULT, enabling))
          .hasMessageContaining("changed or dropped by another process");
      assertThat(enabled).isTrue();
      assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
      table.assertComplete();
    }
  }

  private static void enable(BuiltTable table) {
    try {
      table.admin().enable(table.name(), INDEX, ExistingRows.LEAVE_UNINDEXED);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Rows came while it was disabled, where a build had been that was given up. */
  @Test
  void anIndexThatIsEnabledIsNotBuiltFromWhereAnEarlierBuildEnded() throws Exception {
    try (BuiltTable table = stoppedAtZ("given_up");
        Table plain = MiniCluster.connection().getTable(table.name())) {
      HookObserver hooks = HookObserver.on(table.name());
      table.admin().disable(table.name(), INDEX);
      for (String row : List.of("a", "x", "y", "z")) {
        plain.delete(new Delete(Bytes.toBytes(row)));
      }
      hooks.once(Moment.SCANNED, (region, scanned) -> plain.put(put("a", "late")));
      assertThatThrownBy(() -> table.admin().enable(table.name(), INDEX, ExistingRows.REFUSE))
          .hasMessageContaining("Build it");
      table.build();
      table.assertComplete();
    }
  }

  /** A table whose build has gone by its first rows. */
  private static BuiltTable stoppedAtZ(String stem) throws IOException {
    BuiltTable table = BuiltTable.create(stem, "m");
    table.putPlain(List.of(put("a", "v"), put("x", "w"), put("y", "v"), put("z", "stop")));
    table.createIndex(BuiltTable.stoppable());
    stopAt("stop", table);
    assertThat(table.admin().buildProgress(table.name(), INDEX).orElseThrow().done()).isPositive();
    return table;
  }

  private static void stopAt(String value, BuiltTable table) {
    UserTokenizer.failAt(value);
    assertThatThrownBy(() -> table.build(new BuildOptions(1, 1)))
        .hasMessageContaining("a bug of the user's");
    UserTokenizer.work();
  }

  /** By an older descriptor of the table, which has it as it was amid its build. */
  @Test
  void anIndexThatWasDisabledIsNotBuiltFromWhereAnEarlierBuildEnded() throws Exception {
    try (BuiltTable table = stoppedAtZ("set_back")) {
      IndexDefinition begun = table.admin().describe(table.name(), INDEX);
      table.admin().disable(table.name(), INDEX);
      table.putPlain(List.of(put("b", "late")));
      TestTable.alter(table.name(), descriptor -> IndexDefinitions.put(descriptor, begun));
      table.build();
      table.assertComplete();
    }
  }

  /** That is: from where a build had been later, whose entries are not in the snapshots. */
  @Test
  void aPairFromAmidABuildIsNotBuiltFromWhereThatEnded() throws Exception {
    try (BuiltTable table = BuiltTable.create("pair", "m");
        Admin admin = MiniCluster.connection().getAdmin()) {
      table.putPlain(List.of(put("a", "first"), put("z", "second")));
      table.createIndex(BuiltTable.stoppable());
      stopAt("first", table);
      String base = MiniCluster.uniqueTable("snapshot").getNameAsString();
      String entries = MiniCluster.uniqueTable("snapshot").getNameAsString();
      admin.snapshot(base, table.name());
      admin.snapshot(entries, table.indexTable());
      stopAt("second", table);
      TableName checkpoint = TableName.valueOf(table.indexTable() + ".build");
      admin.disableTable(table.name());
      admin.disableTable(table.indexTable());
      assertThatThrownBy(() -> admin.restoreSnapshot(base, false))
          .hasStackTraceContaining("disable '" + checkpoint + "'");
      admin.disableTable(checkpoint);
      admin.restoreSnapshot(base, false);
      admin.restoreSnapshot(entries, false);
      admin.enableTable(table.indexTable());
      admin.enableTable(table.name());
      table.build();
      table.assertComplete();
    }
  }

  /** Where an equal version is seen that was put after the marker. */
  @Test
  void aVersionPutAgainIsIndexedInFamiliesOfTheNewBehaviour() throws Exception {
    try (BuiltTable table = BuiltTable.create("again");
        Admin admin = MiniCluster.connection().getAdmin();
        Table plain = MiniCluster.connection().getTable(table.name())) {
      admin.modifyColumnFamily(
          table.name(),
          ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
              .setMaxVersions(2)
              .setNewVersionBehavior(true)
              .build());
      plain.put(put("row", 5, "v"));
      plain.delete(new Delete(Bytes.toBytes("row"), 5));
      admin.flush(table.name());
      plain.put(put("row", 5, "v"));
      table.createIndex(BuiltTable.definition("deferred"));
      table.build();
      table.assertExactWhenCollected();
      assertThat(table.audit().versions()).isEqualTo(1);
    }
  }

  /** The first of its threads is held for minutes. */
  @Test
  void aThreadThatFailsEndsABuildWhoseOthersAreHeld() throws Exception {
    try (BuiltTable table = BuiltTable.create("one_fails", "m")) {
      table.putPlain(List.of(put("a", "held"), put("z", "failing")));
      table.createIndex(BuiltTable.stoppable());
      UserTokenizer.Stop stop = UserTokenizer.waitAt("held");
      UserTokenizer.failAt("failing");
      CompletableFuture<BuildReport> build =
          table.start(table.connection(), BuildOptions.DEFAULT.withThreads(2));
      stop.awaitReached();
      assertThatThrownBy(() -> build.get(1, TimeUnit.MINUTES))
          .hasMessageContaining("a bug of the user's");
    }
  }

  @Test
  void refusesATableThatIsNotThereBeforeItSamplesIt() {
    DeliAdmin admin = DeliAdmin.of(MiniCluster.connection());
    CreateIndexOptions options =
        CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.BUILD).withRegions(4);
    assertThatThrownBy(
            () ->
                admin.createIndex(
                    MiniCluster.uniqueTable("absent"), BuiltTable.definition("deferred"), options))
        .hasMessageContaining("does not exist. Create it first");
  }

  /** One that has the name of the table in which a build is written down. */
  @Test
  void leavesAnothersTableAlone() throws Exception {
    try (BuiltTable table = BuiltTable.create("others");
        Admin admin = MiniCluster.connection().getAdmin()) {
      TableName other = TableName.valueOf(table.name() + "." + INDEX + ".build");
      admin.createTable(
          TableDescriptorBuilder.newBuilder(other)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      table.createIndex(BuiltTable.definition("deferred"));
      assertThatThrownBy(table::build).hasMessageContaining("has another purpose");
      assertThat(table.admin().buildProgress(table.name(), INDEX)).isEmpty();
      table.admin().dropIndex(table.name(), INDEX);
      assertThat(table.admin().list(table.name())).isEmpty();
      assertThat(admin.tableExists(other)).isTrue();
    }
  }
}
