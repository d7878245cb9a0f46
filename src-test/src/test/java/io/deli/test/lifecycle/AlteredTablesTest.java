package io.deli.test.lifecycle;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.lifecycle.OperatedTable.hbase;
import static io.deli.test.lifecycle.OperatedTable.ofTwoRows;
import static io.deli.test.lifecycle.OperatedTable.operate;
import static io.deli.test.lifecycle.OperatedTable.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.ExistingRows;
import io.deli.client.IndexUnavailableException;
import io.deli.client.ValueQuery;
import io.deli.client.VerifyOptions;
import io.deli.coprocessor.DeliRegionObserver;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.InvalidIndexException;
import io.deli.index.Maintenance;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tables with indexes that are truncated, dropped and altered by HBase's own tools. */
class AlteredTablesTest {
  private static final int HOUR_MILLIS = 3_600_000;
  private static final long NOW = Long.MAX_VALUE;
  private static final String COPROCESSOR = DeliRegionObserver.class.getName();

  @Test
  void aTruncatedTableHasNoHitsButGarbage() throws IOException {
    OperatedTable table = OperatedTable.create("truncated", family -> family);
    table.write("r1", "v");
    table.write("r2", "v");
    hbase().disableTable(table.name());
    hbase().truncateTable(table.name(), true);
    assertThat(table.find("v")).isEmpty();
    table.write("r1", "v");
    assertThat(rows(table.find("v"))).containsExactly("r1");
    assertThat(table.garbage()).isEqualTo(2);
  }

  /** One that is made anew does not come by the entries of the old. */
  @Test
  void whatADroppedTableLeavesIsToldAndDropped() throws IOException {
    OperatedTable table = OperatedTable.create("dropped", family -> family);
    table.write("r1", "v");
    hbase().disableTable(table.name());
    hbase().deleteTable(table.name());
    assertThat(operate(DeliAdmin::orphans)).contains(table.indexTable());

    table.createPlain(family -> family);
    table.write("r1", "v");
    assertThatThrownBy(() -> table.find("v"))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessageContaining("has no index");
    assertThat(operate(DeliAdmin::orphans)).contains(table.indexTable());
    assertThatThrownBy(() -> table.createIndex(definition -> definition))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContainingAll(table.indexTable().getNameAsString(), "deli drop-index");

    table.dropIndex();
    assertThat(hbase().tableExists(table.indexTable())).isFalse();
    assertThatThrownBy(table::dropIndex)
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("no index");
  }

  /**
   * Writers and readers are told, and the index is built anew; no definition is lost. Its new table
   * folds its lists as the old one did.
   */
  @Test
  void anIndexWhoseTableWasDeletedIsBuiltAnew() throws IOException {
    OperatedTable table =
        OperatedTable.create("bereft", family -> family, index -> index.withStrategy("lazy"));
    assertThat(hbase().getDescriptor(table.indexTable()).getCoprocessorDescriptors()).hasSize(1);
    table.write("r1", "v");
    hbase().disableTable(table.indexTable());
    hbase().deleteTable(table.indexTable());
    assertThatThrownBy(() -> table.write("r2", "v"))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessageContainingAll(table.indexTable().getNameAsString(), "deli build");
    assertThatThrownBy(() -> table.find("v"))
        .hasMessageContainingAll(table.indexTable().getNameAsString(), "deli build");
    assertThatThrownBy(() -> table.verify(VerifyOptions.DEFAULT))
        .hasMessageContainingAll(INDEX, "deli disable-index", "deli build");
    table.disableIndex();
    table.write("r2", "v");
    table.build();
    assertThat(hbase().getDescriptor(table.indexTable()).getCoprocessorDescriptors()).hasSize(1);
    assertThat(rows(table.find("v"))).containsExactly("r1", "r2");
    table.assertExact();
  }

  /** Lookups answer as scans do, which see again what was hidden and is still in the files. */
  @Test
  void versionsAreLoweredAndRaised() throws IOException {
    OperatedTable table = OperatedTable.create("versions", family -> family.setMaxVersions(3));
    for (int i = 1; i <= 3; i++) {
      table.write("r", "v" + i);
    }
    table.assertAnswersLikeAScan(NOW, 3);
    table.alter(family -> family.setMaxVersions(1));
    table.assertAnswersLikeAScan(NOW, 1);
    assertThatThrownBy(() -> table.find(all().versions(3))).hasMessageContaining("versions(3)");
    table.alter(family -> family.setMaxVersions(2));
    table.assertAnswersLikeAScan(NOW, 2);
    assertThat(table.find(all().versions(2))).hasSize(2);

    table.alter(family -> family.setMaxVersions(1));
    table.collect();
    table.assertExact();
    table.alter(family -> family.setMaxVersions(3));
    table.assertAnswersLikeAScan(NOW, 3);
    assertThat(table.find(all().versions(3))).hasSize(1);
  }

  private static ValueQuery all() {
    return ValueQuery.on(INDEX).atLeast(new byte[0]);
  }

  @Test
  void timeToLiveIsLoweredAndRaised() throws IOException {
    OperatedTable table = OperatedTable.create("ttl", family -> family);
    long old = System.currentTimeMillis() - HOUR_MILLIS;
    table.write("expires", "v", old);
    table.write("stays", "v");
    table.alter(family -> family.setTimeToLive(HOUR_MILLIS / 2_000));
    assertThat(rows(table.find("v"))).containsExactly("stays");
    hbase().flush(table.name());
    table.assertAnswersLikeAScan(NOW, 1);
    table.alter(family -> family.setTimeToLive(HConstants.FOREVER));
    table.assertAnswersLikeAScan(NOW, 1);
    assertThat(rows(table.find("v"))).as("not compacted yet").containsExactly("expires", "stays");

    table.alter(family -> family.setTimeToLive(HOUR_MILLIS / 2_000).setMinVersions(1));
    assertThat(rows(table.find("v"))).containsExactly("expires", "stays");
    table.alter(family -> family.setMinVersions(0));
    table.collect();
    table.assertExact();
    table.alter(family -> family.setTimeToLive(HConstants.FOREVER));
    assertThat(rows(table.find("v"))).containsExactly("stays");
    table.assertExact();
  }

  @Test
  void deletedCellsAreKeptAndLetGo() throws IOException {
    OperatedTable table = OperatedTable.create("kept", family -> family);
    long time = System.currentTimeMillis() - HOUR_MILLIS;
    table.write("r", "v", time);
    table.delete("r", time + 2);
    table.alter(family -> family.setKeepDeletedCells(KeepDeletedCells.TRUE));
    table.assertAnswersLikeAScan(time + 1, 1);
    assertThat(rows(table.find(all().asOf(time + 1)))).containsExactly("r");
    table.collect();
    table.assertAnswersLikeAScan(time + 1, 1);
    assertThat(rows(table.find(all().asOf(time + 1)))).containsExactly("r");

    table.alter(family -> family.setKeepDeletedCells(KeepDeletedCells.FALSE));
    table.assertAnswersLikeAScan(time + 1, 1);
    table.collect();
    table.assertAnswersLikeAScan(time + 1, 1);
    assertThat(table.garbage()).isZero();
  }

  /** The write ids of versions with timestamps of their own included. */
  @Test
  void theFormatOfFilesDoesNotMatter() throws IOException {
    OperatedTable table = OperatedTable.create("format", family -> family);
    long time = System.currentTimeMillis();
    table.write("r1", "old", time);
    table.write("r2", "v", time);
    hbase().flush(table.name());
    table.alter(
        family ->
            family
                .setDataBlockEncoding(DataBlockEncoding.DIFF)
                .setCompressionType(Compression.Algorithm.GZ)
                .setBloomFilterType(BloomType.ROWCOL)
                .setBlocksize(8_192)
                .setInMemory(true));
    table.write("r1", "v", time + 1);
    table.collect();
    table.assertAnswersLikeAScan(NOW, 1);
    table.assertExact();
  }

  @Test
  void anIndexWithoutItsFamilyIsToldAndDropped() throws IOException {
    OperatedTable table = OperatedTable.create("family", family -> family);
    table.write("r1", "v");
    hbase().deleteColumnFamily(table.name(), FAMILY);
    assertThatThrownBy(() -> table.find("v"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(INDEX, "no column family");
    assertThatThrownBy(() -> table.verify(VerifyOptions.DEFAULT))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContainingAll(INDEX, "Drop the index");

    hbase().addColumnFamily(table.name(), ColumnFamilyDescriptorBuilder.of(FAMILY));
    assertThat(table.find("v")).isEmpty();
    table.write("r2", "v");
    assertThat(rows(table.find("v"))).containsExactly("r2");

    hbase().deleteColumnFamily(table.name(), FAMILY);
    table.dropIndex();
    assertThat(hbase().tableExists(table.indexTable())).isFalse();
    assertThat(hbase().getDescriptor(table.name()).getColumnFamilyNames())
        .containsExactly(Bytes.toBytes("g"));
  }

  /** Put behind a delete at its own timestamp, a version is seen there, and found. */
  @Test
  void newVersionBehaviorIsSetAndUnset() throws IOException {
    OperatedTable table = OperatedTable.create("order", family -> family.setMaxVersions(2));
    long time = System.currentTimeMillis() - HOUR_MILLIS;
    table.write("before", "v", time);
    table.delete("before", time + 1);
    table.alter(family -> family.setNewVersionBehavior(true));
    table.write("r", "v", time);
    table.delete("r", time + 1);
    table.write("r", "v", time);
    for (int i = 1; i <= 3; i++) {
      table.write("versions", "v" + i, time + i);
    }
    assertThat(rows(table.find("v"))).containsExactly("r");
    table.assertAnswersLikeAScan(NOW, 2);
    table.assertAnswersLikeAScan(time, 1);
    table.collect();
    table.assertAnswersLikeAScan(NOW, 2);
    table.assertExact();

    table.write("r", "w", time + 2);
    table.alter(family -> family.setNewVersionBehavior(false));
    table.assertAnswersLikeAScan(NOW, 2);
    table.collect();
    table.assertAnswersLikeAScan(NOW, 2);
    table.assertExact();
  }

  /** What was written as MOB meanwhile comes back by a compaction, and to the index by a build. */
  @Test
  void aFamilyOfMobIsToldAndTakenBack() throws IOException {
    OperatedTable table = ofTwoRows("mob");
    table.alter(family -> family.setMobEnabled(true).setMobThreshold(0));
    table.write("r1", "new");
    table.write("r3", "same");
    hbase().flush(table.name());
    assertThatThrownBy(() -> table.find("same"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(INDEX, "MOB", "deli disable-index", "deli build");

    table.alter(family -> family.setMobThreshold(Integer.MAX_VALUE));
    table.collect();
    table.alter(family -> family.setMobEnabled(false));
    table.disableIndex();
    table.build();
    assertThat(rows(table.find("same"))).containsExactly("r2", "r3");
    table.assertAnswersLikeAScan(NOW, 1);
    table.assertExact();
  }

  private static TableDescriptor withoutCoprocessor(OperatedTable table) throws IOException {
    return TableDescriptorBuilder.newBuilder(hbase().getDescriptor(table.name()))
        .removeCoprocessor(COPROCESSOR)
        .build();
  }

  @Test
  void withoutTheCoprocessorGarbageStaysAndLookupsAreRight() throws IOException {
    OperatedTable table = ofTwoRows("bare");
    hbase().modifyTable(withoutCoprocessor(table));
    table.write("r1", "new");
    table.collect();
    assertThat(table.find("old")).isEmpty();
    assertThat(rows(table.find("new"))).containsExactly("r1");
    assertThat(table.garbage()).isEqualTo(1);

    table.dropIndex();
    table.createIndex(definition -> definition, ExistingRows.BUILD);
    table.build();
    assertThat(hbase().getDescriptor(table.name()).hasCoprocessor(COPROCESSOR)).isTrue();
    table.assertExact();
  }

  @Test
  void buildAndEnableSetTheCoprocessorAgain() throws IOException {
    OperatedTable table = ofTwoRows("reset");
    hbase().modifyTable(withoutCoprocessor(table));
    table.disableIndex();
    table.build();
    assertThat(hbase().getDescriptor(table.name()).hasCoprocessor(COPROCESSOR)).isTrue();
    table.write("r1", "new");
    table.collect();
    table.assertExact();

    hbase().modifyTable(withoutCoprocessor(table));
    table.enableIndex();
    assertThat(hbase().getDescriptor(table.name()).hasCoprocessor(COPROCESSOR)).isTrue();
  }

  /** Of an index that is left to region servers, as without the master's observer. */
  @Test
  void buildEnableAndCreateRefuseATableWhoseIndexNobodyMaintained() throws IOException {
    OperatedTable table = new OperatedTable(MiniCluster.uniqueTable("unserved"));
    IndexDefinition definition =
        TestTable.byQ().withMaintenance(Maintenance.SERVER).withState(IndexState.BUILDING);
    TableDescriptor base =
        IndexDefinitions.put(
                TableDescriptorBuilder.newBuilder(table.name())
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)),
                definition)
            .build();
    hbase().createTable(IndexTables.descriptor(base, definition));
    hbase().createTable(base);
    ThrowingCallable another = () -> table.createIndex(i -> IndexDefinition.on("b", i.column()));
    for (ThrowingCallable use : List.of(table::build, table::enableIndex, another)) {
      assertThatThrownBy(use)
          .hasMessageContainingAll(
              table.name().toString(), INDEX, "coprocessor", "deli disable-index", "deli build");
    }
    assertThat(table.state()).isEqualTo(IndexState.BUILDING);
    table.disableIndex();
    table.build();
    assertThat(hbase().getDescriptor(table.name()).hasCoprocessor(COPROCESSOR)).isTrue();
    assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
  }

  /** By a scan of everything. */
  @Test
  void anIndexInTheFilesIsRightWithoutTheCoprocessor() throws IOException {
    OperatedTable table =
        OperatedTable.create("files", family -> family, index -> index.withStrategy("embedded"));
    table.write("r1", "v");
    hbase().flush(table.name());
    hbase().modifyTable(withoutCoprocessor(table));
    table.write("r2", "v");
    assertThat(rows(table.find("v"))).containsExactly("r1", "r2");
  }

  @Test
  void whatRegionServersMaintainKeepsTheCoprocessor() throws IOException {
    OperatedTable table =
        OperatedTable.create(
            "served", family -> family, index -> index.withMaintenance(Maintenance.SERVER));
    TableDescriptor bare = withoutCoprocessor(table);
    assertThatThrownBy(() -> hbase().modifyTable(bare))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContainingAll(
            "table " + table.name(), "f:q", "deli disable-index", "deli drop-index");
    table.disableIndex();
    hbase().modifyTable(withoutCoprocessor(table));
    assertThat(hbase().getDescriptor(table.name()).hasCoprocessor(COPROCESSOR)).isFalse();
    table.build();
    assertThat(hbase().getDescriptor(table.name()).hasCoprocessor(COPROCESSOR)).isTrue();
    assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
  }

  /** Its writers do not know of it any more, and its readers are told. */
  @Test
  void anIndexWithoutItsDefinitionIsToldAndDropped() throws IOException {
    OperatedTable table = ofTwoRows("forgotten");
    TableDescriptor descriptor = hbase().getDescriptor(table.name());
    hbase()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(descriptor)
                .removeValue(Bytes.toBytes("deli.index." + INDEX))
                .removeValue(Bytes.toBytes("deli.generation." + INDEX))
                .build());
    table.write("r3", "same");
    assertThatThrownBy(() -> table.find("same"))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessageContaining("has no index");
    assertThat(operate(DeliAdmin::orphans)).contains(table.indexTable());
    assertThatThrownBy(() -> table.createIndex(index -> index, ExistingRows.BUILD))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContainingAll(table.indexTable().getNameAsString(), "deli drop-index");
    table.dropIndex();
    assertThat(hbase().tableExists(table.indexTable())).isFalse();
  }
}
