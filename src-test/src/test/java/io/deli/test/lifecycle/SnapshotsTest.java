package io.deli.test.lifecycle;

import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.lifecycle.OperatedTable.hbase;
import static io.deli.test.lifecycle.OperatedTable.ofTwoRows;
import static io.deli.test.lifecycle.OperatedTable.operate;
import static io.deli.test.lifecycle.OperatedTable.rows;
import static io.deli.test.lifecycle.OperatedTable.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.ExistingRows;
import io.deli.client.IndexUnavailableException;
import io.deli.client.ValueQuery;
import io.deli.client.VerifyOptions;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.Maintenance;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots of tables with indexes, by HBase's own tools; docs/operations.md says what to do. */
class SnapshotsTest {
  private static OperatedTable cloned(String snapshot) throws IOException {
    OperatedTable clone = new OperatedTable(MiniCluster.uniqueTable("clone"));
    hbase().cloneSnapshot(snapshot, clone.name());
    return clone;
  }

  /** Its writers write, its readers are told what to do, and nothing is missed once it is built. */
  @Test
  void aCloneIsDetachedUntilItsIndexIsBuilt() throws IOException {
    OperatedTable original = ofTwoRows("original");
    OperatedTable clone = cloned(snapshot(original.name()));
    assertThat(clone.state()).isEqualTo(IndexState.DETACHED);
    clone.write("r3", "same");
    clone.write("r1", "new");
    assertThatThrownBy(() -> clone.find("same"))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessageContainingAll(
            INDEX, clone.name().getNameAsString(), "DETACHED", "snapshot", "deli build");
    ValueQuery same = ValueQuery.on(INDEX).equalTo(Bytes.toBytes("same"));
    assertThat(rows(clone.find(same.allowScan()))).containsExactly("r2", "r3");
    assertThatThrownBy(() -> clone.verify(VerifyOptions.DEFAULT))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContainingAll(INDEX, "no index table", "deli build");
    assertThatThrownBy(() -> enable(clone))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContainingAll(INDEX, "no index table", "deli build");
    clone.collect();
    assertThat(hbase().tableExists(clone.indexTable())).isFalse();

    clone.build();

    assertThat(clone.state()).isEqualTo(IndexState.ACTIVE);
    assertThat(rows(clone.find("same"))).containsExactly("r2", "r3");
    clone.write("r4", "same");
    clone.assertExact();
    assertThat(rows(original.find("old"))).containsExactly("r1");
    original.assertExact();
  }

  /** The table beside the clone is left alone, whatever is done. */
  @Test
  void aTableOfTheNameOfAnIndexTableIsNotTakenForIt() throws IOException {
    OperatedTable clone = cloned(snapshot(ofTwoRows("original").name()));
    MiniCluster.utility().createTable(clone.indexTable(), TestTable.FAMILY).close();
    assertThatThrownBy(clone::build)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContainingAll(clone.indexTable().getNameAsString(), "Delete or rename it");
    assertThatThrownBy(() -> enable(clone)).hasMessageContaining("no index table");
    clone.write("r1", "new");
    clone.collect();
    clone.disableIndex();
    clone.build();
    assertThat(rows(clone.find("new"))).containsExactly("r1");
    clone.dropIndex();
    assertThat(hbase().isTableEnabled(clone.indexTable())).isTrue();
  }

  private static void enable(OperatedTable table) throws IOException {
    DeliAdmin.of(MiniCluster.connection())
        .enable(table.name(), INDEX, ExistingRows.LEAVE_UNINDEXED);
  }

  /** As it is with one of clients: until then its regions have nowhere to write entries to. */
  @Test
  void anIndexOfRegionServersIsDetachedAndBuiltAsWell() throws IOException {
    OperatedTable original =
        OperatedTable.create(
            "served", family -> family, index -> index.withMaintenance(Maintenance.SERVER));
    original.write("r1", "v");
    OperatedTable clone = cloned(snapshot(original.name()));
    clone.write("r2", "v");
    assertThat(clone.state()).isEqualTo(IndexState.DETACHED);
    clone.build();
    try (Table plain = MiniCluster.connection().getTable(clone.name())) {
      plain.put(TestTable.put("r3", "v"));
    }
    assertThat(rows(clone.find("v"))).containsExactly("r1", "r2", "r3");
    clone.assertExact();
  }

  /** Its builder goes on with the original, before it changes the two generations or behind it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCloneTakenAmidARebuildIsBuiltAsWell(boolean switched) throws IOException {
    OperatedTable original = ofTwoRows("original");
    TableDescriptor table = hbase().getDescriptor(original.name());
    IndexDefinition rebuilt = IndexDefinitions.of(table).get(0).withBeside(2);
    hbase()
        .modifyTable(
            IndexDefinitions.put(
                    TableDescriptorBuilder.newBuilder(table),
                    switched ? rebuilt.switched() : rebuilt)
                .build());
    OperatedTable clone = cloned(snapshot(original.name()));
    clone.build();
    assertThat(clone.state()).isEqualTo(IndexState.ACTIVE);
    assertThat(rows(clone.find("same"))).containsExactly("r2");
    clone.write("r3", "same");
    clone.assertExact();
  }

  /** A rename: both tables come along, and what is left of the old ones is told and dropped. */
  @Test
  void aTableIsRenamedWithItsIndex() throws IOException {
    OperatedTable old = ofTwoRows("old");
    old.write("r1", "new");
    hbase().disableTable(old.name());
    String base = snapshot(old.name());
    String entries = snapshot(old.indexTable());
    OperatedTable renamed = new OperatedTable(MiniCluster.uniqueTable("renamed"));
    hbase().cloneSnapshot(entries, renamed.indexTable());
    hbase().cloneSnapshot(base, renamed.name());
    enable(renamed);
    assertThat(rows(renamed.find("same"))).containsExactly("r2");
    renamed.write("r3", "same");
    renamed.collect();
    renamed.assertExact();

    hbase().deleteTable(old.name());
    assertThat(operate(DeliAdmin::orphans))
        .contains(old.indexTable())
        .doesNotContain(renamed.indexTable());
    old.dropIndex();
    assertThat(hbase().tableExists(old.indexTable())).isFalse();
    assertThat(rows(renamed.find("same"))).containsExactly("r2", "r3");
  }

  /** Taken while the base table is disabled, restored while both are. */
  @Test
  void aPairOfSnapshotsFitsTogether() throws IOException {
    OperatedTable table = ofTwoRows("pair");
    hbase().disableTable(table.name());
    String base = snapshot(table.name());
    String entries = snapshot(table.indexTable());
    hbase().enableTable(table.name());
    table.write("r1", "new");
    table.collect();
    hbase().disableTable(table.name());
    hbase().disableTable(table.indexTable());
    hbase().restoreSnapshot(base);
    hbase().restoreSnapshot(entries);
    hbase().enableTable(table.indexTable());
    hbase().enableTable(table.name());
    assertThat(rows(table.find("old"))).containsExactly("r1");
    table.assertExact();
  }

  /**
   * The base table first: its versions had their entries then. And they keep them, for without a
   * compaction no version goes.
   */
  @Test
  void aPairIsTakenOnlineWhileNothingIsCompacted() throws IOException {
    OperatedTable table = ofTwoRows("online");
    String base;
    String entries;
    try {
      hbase().compactionSwitch(false, List.of());
      base = snapshot(table.name());
      table.write("r1", "new");
      table.write("r3", "new");
      hbase().flush(table.name());
      hbase().majorCompact(table.name());
      assertThat(table.find("old")).isEmpty();
      entries = snapshot(table.indexTable());
    } finally {
      hbase().compactionSwitch(true, List.of());
    }
    table.collect();
    OperatedTable clone = new OperatedTable(MiniCluster.uniqueTable("clone"));
    hbase().cloneSnapshot(entries, clone.indexTable());
    hbase().cloneSnapshot(base, clone.name());
    enable(clone);
    assertThat(rows(clone.find("old"))).containsExactly("r1");
    assertThat(clone.find("new")).isEmpty();
    // Of what was written after the base table's snapshot.
    assertThat(clone.garbage()).isEqualTo(2);
  }
}
