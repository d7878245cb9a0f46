package io.deli.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class IndexTablesTest {
  private static final byte[] ENTRIES = Bytes.toBytes("e");
  private static final IndexDefinition DEFINITION = IndexDefinition.on("i", Column.parse("f:q"));
  private static final TableDescriptor BASE =
      base(family -> family.setCompressionType(Compression.Algorithm.GZ));
  private static final TableDescriptor INDEX = IndexTables.descriptor(BASE, DEFINITION);

  /** Changes of an index table's family that let entries go, or keep them when they are deleted. */
  private static final List<UnaryOperator<ColumnFamilyDescriptorBuilder>> LOSING =
      List.of(
          family -> family.setMaxVersions(3),
          family -> family.setTimeToLive(60),
          family -> family.setKeepDeletedCells(KeepDeletedCells.TTL),
          family -> family.setNewVersionBehavior(true),
          family -> family.setMobEnabled(true));

  private static TableDescriptor base(UnaryOperator<ColumnFamilyDescriptorBuilder> change) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
        .setColumnFamily(
            change.apply(ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))).build())
        .build();
  }

  private static TableDescriptor altered(
      TableDescriptor table, UnaryOperator<ColumnFamilyDescriptorBuilder> change) {
    ColumnFamilyDescriptor family = table.getColumnFamily(ENTRIES);
    return TableDescriptorBuilder.newBuilder(table)
        .modifyColumnFamily(change.apply(ColumnFamilyDescriptorBuilder.newBuilder(family)).build())
        .build();
  }

  private static TableDescriptor with(TableDescriptor table, Durability durability) {
    return TableDescriptorBuilder.newBuilder(table).setDurability(durability).build();
  }

  @Test
  void anIndexTable_isMadeToBeScanned() {
    ColumnFamilyDescriptor entries = INDEX.getColumnFamily(ENTRIES);
    assertThat(entries.getBloomFilterType()).isEqualTo(BloomType.NONE);
    assertThat(entries.getDataBlockEncoding()).isEqualTo(DataBlockEncoding.FAST_DIFF);
    assertThat(entries.getBlocksize()).isEqualTo(16 * 1024);
    assertThat(entries.getCompressionType()).isEqualTo(Compression.Algorithm.GZ);
    assertThat(IndexTables.keepsEntries(INDEX)).isTrue();
    assertThat(IndexTables.mergingStrategy(INDEX)).isEmpty();
    assertThat(IndexTables.mergingStrategy(BASE)).isEmpty();
    TableDescriptor lists = IndexTables.descriptor(BASE, DEFINITION.withStrategy("lazy"));
    assertThat(lists.getColumnFamily(ENTRIES).getBloomFilterType()).isEqualTo(BloomType.ROW);
    assertThat(IndexTables.mergingStrategy(lists).map(IndexStrategy::name)).hasValue("lazy");
  }

  @Test
  void anIndexOfAnEncryptedFamily_isEncrypted_alsoWhereAnEarlierTableWasNot() {
    TableDescriptor secret =
        IndexTables.descriptor(base(family -> family.setEncryptionType("AES")), DEFINITION);
    UnaryOperator<ColumnFamilyDescriptorBuilder> other = family -> family.setEncryptionType("SM4");
    for (TableDescriptor table :
        List.of(
            secret, IndexTables.following(INDEX, secret), IndexTables.following(secret, INDEX))) {
      assertThat(table.getColumnFamily(ENTRIES).getEncryptionType()).isEqualTo("AES");
    }
    assertThat(IndexTables.following(altered(INDEX, other), secret).getColumnFamily(ENTRIES))
        .returns("SM4", ColumnFamilyDescriptor::getEncryptionType);
    assertThat(INDEX.getColumnFamily(ENTRIES).getEncryptionType()).isNull();
  }

  @Test
  void staleEntries_goWithTheirOwnTable_whereBaseCompactionsDoNotKnowThem() {
    assertThat(Strategies.names(IndexStrategy::keepsTable))
        .filteredOn(
            strategy ->
                IndexTables.dropsStaleEntries(
                    IndexTables.descriptor(BASE, DEFINITION.withStrategy(strategy))))
        .containsExactly("composite", "eager", "in-place", "lazy");
    assertThat(IndexTables.dropsStaleEntries(BASE)).isFalse();
  }

  @Test
  void aFamilyOfMobValues_hasNoIndex() {
    TableDescriptor mob = base(family -> family.setMobEnabled(true));
    assertThatThrownBy(() -> IndexTables.descriptor(mob, DEFINITION))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContainingAll("'i'", "'f'", "MOB");
  }

  @Test
  void anIndexTable_isKnownByItsStrategy_orByItsFamily() {
    assertThat(IndexTables.isIndexTable(INDEX)).isTrue();
    assertThat(IndexTables.isIndexTable(altered(INDEX, LOSING.get(0)))).isTrue();
    assertThat(IndexTables.isIndexTable(BASE)).isFalse();
    TableDescriptor early =
        TableDescriptorBuilder.newBuilder(INDEX)
            .removeValue(Bytes.toBytes("deli.strategy"))
            .build();
    assertThat(IndexTables.isIndexTable(early)).isTrue();
    assertThat(IndexTables.isIndexTable(altered(early, LOSING.get(0)))).isFalse();
    assertThat(
            IndexTables.isIndexTable(
                altered(early, family -> family.setDataBlockEncoding(DataBlockEncoding.NONE))))
        .isFalse();
    assertThat(
            IndexTables.isIndexTable(
                TableDescriptorBuilder.newBuilder(early)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                    .build()))
        .isFalse();
  }

  @Test
  void aTable_keepsEntries_unlessItLosesSome() {
    for (UnaryOperator<ColumnFamilyDescriptorBuilder> losing : LOSING) {
      TableDescriptor table = altered(INDEX, losing);
      assertThat(IndexTables.keepsEntries(table)).as(table.toString()).isFalse();
    }
    for (Durability durability : Durability.values()) {
      assertThat(IndexTables.keepsEntries(with(INDEX, durability)))
          .isEqualTo(durability != Durability.ASYNC_WAL && durability != Durability.SKIP_WAL);
    }
    assertThat(IndexTables.keepsEntries(BASE)).isFalse();
    assertThat(
            IndexTables.keepsEntries(
                altered(INDEX, family -> family.setValue("KEEP_DELETED_CELLS", "maybe"))))
        .isFalse();
  }

  @Test
  void theNextGeneration_isAlteredAsThePresentOne_butKeepsEntries() {
    TableDescriptor made = IndexTables.descriptor(BASE, DEFINITION.at(2));
    for (UnaryOperator<ColumnFamilyDescriptorBuilder> losing : LOSING) {
      TableDescriptor present =
          altered(
              with(INDEX, Durability.SKIP_WAL), family -> losing.apply(family).setBlocksize(4711));
      TableDescriptor next =
          IndexTables.following(
              TableDescriptorBuilder.newBuilder(present)
                  .setValue("kept", "1")
                  .setValue("deli.strategy", "lazy")
                  .build(),
              made);
      assertThat(next.getTableName()).isEqualTo(made.getTableName());
      assertThat(IndexTables.keepsEntries(next)).isTrue();
      assertThat(next.getColumnFamily(ENTRIES).getBlocksize()).isEqualTo(4711);
      assertThat(next.getValue("kept")).isEqualTo("1");
      assertThat(next.getValue("deli.strategy")).isEqualTo("deferred");
    }
    assertThat(IndexTables.following(with(INDEX, Durability.FSYNC_WAL), made).getDurability())
        .isEqualTo(Durability.FSYNC_WAL);
    TableDescriptor without =
        TableDescriptorBuilder.newBuilder(INDEX)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .removeColumnFamily(ENTRIES)
            .build();
    assertThat(IndexTables.keepsEntries(IndexTables.following(without, made))).isTrue();
  }
}
