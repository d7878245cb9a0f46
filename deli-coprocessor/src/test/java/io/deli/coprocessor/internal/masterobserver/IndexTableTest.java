package io.deli.coprocessor.internal.masterobserver;

import static io.deli.coprocessor.internal.masterobserver.RestoredTableTest.index;
import static io.deli.coprocessor.internal.masterobserver.RestoredTableTest.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.strategy.IndexTables;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class IndexTableTest {
  private static final IndexTable BY_Q = IndexTable.named(TableName.valueOf("ns", "t.by_q")).get(0);
  private static final TableDescriptor ENTRIES =
      IndexTables.descriptor(with(index("by_q")), index("by_q"));

  /** Names of base tables may have dots, those of indexes have none. */
  @Test
  void isKnownByItsName() {
    assertThat(BY_Q.base()).isEqualTo(TableName.valueOf("ns", "t"));
    assertThat(BY_Q.index()).isEqualTo("by_q");
    assertThat(IndexTable.named(TableName.valueOf("a.b.c")))
        .extracting(IndexTable::base)
        .contains(TableName.valueOf("a.b"));
    for (String name : new String[] {"t", "ns:t", "t.", "hbase:a.b"}) {
      assertThat(IndexTable.named(TableName.valueOf(name))).as(name).isEmpty();
    }
  }

  @Test
  void isNeitherEmptiedNorRestoredWhileItsIndexIsInUse() {
    for (IndexState state : new IndexState[] {IndexState.ACTIVE, IndexState.BUILDING}) {
      TableDescriptor base = with(index("by_q").withState(state), index("by_r"));
      assertThat(List.of(BY_Q.emptied(base), BY_Q.restored(base)))
          .allSatisfy(
              refusal ->
                  assertThat(refusal.orElseThrow())
                      .contains(
                          "table ns:t.by_q ",
                          "'by_q'",
                          "deli disable-index ns:t by_q",
                          "deli build ns:t by_q"));
      assertThat(BY_Q.restored(base).orElseThrow()).contains("disable 'ns:t'");
    }
    TableDescriptor disabled = with(index("by_q").withState(IndexState.DISABLED), index("by_r"));
    assertThat(BY_Q.emptied(disabled)).isEmpty();
    assertThat(BY_Q.restored(disabled)).isEmpty();
  }

  private static List<IndexTable> neglected(IndexDefinition present, IndexDefinition altered) {
    return IndexTableUse.neglected(with(present, index("by_r")), with(altered, index("by_r")));
  }

  @Test
  void isNeglectedIfItIsToBeReadAndWasNotKept() {
    IndexDefinition read = index("by_q");
    assertThat(IndexTableUse.neglected(with(), with(read))).containsExactly(BY_Q);
    assertThat(neglected(read.withState(IndexState.DISABLED), read)).containsExactly(BY_Q);
    assertThat(neglected(read.at(2), read)).containsExactly(BY_Q);
    assertThat(BY_Q.unkept())
        .contains("table ns:t.by_q ", "'by_q'", "ns:t", "deli build ns:t by_q");

    assertThat(neglected(read, read)).isEmpty();
    assertThat(neglected(read.withState(IndexState.BUILDING), read)).isEmpty();
    IndexDefinition building =
        read.withState(IndexState.BUILDING).withOption(IndexDefinition.BUILD, "2");
    assertThat(neglected(building, building.withState(IndexState.ACTIVE))).isEmpty();
    assertThat(neglected(building, read)).containsExactly(BY_Q);
    assertThat(neglected(building, read.withOption(IndexDefinition.BUILD, "1")))
        .containsExactly(BY_Q);
    assertThat(neglected(read.withBeside(2), read.withBeside(2).switched())).isEmpty();
    assertThat(neglected(read, read.withBeside(2))).isEmpty();
    for (IndexState unread : new IndexState[] {IndexState.BUILDING, IndexState.DISABLED}) {
      assertThat(IndexTableUse.neglected(with(), with(read.withState(unread)))).isEmpty();
    }
    IndexDefinition inFiles = read.withStrategy("embedded");
    assertThat(neglected(inFiles.withState(IndexState.DISABLED), inFiles)).isEmpty();
  }

  /** A build leaves the table as it is, so it is not weakened while the index is disabled. */
  @Test
  void isNotWeakenedWhateverTheStateOfItsIndex() {
    for (IndexState state :
        new IndexState[] {IndexState.ACTIVE, IndexState.BUILDING, IndexState.DISABLED}) {
      assertThat(BY_Q.weakened(with(index("by_q").withState(state))).orElseThrow())
          .contains("table ns:t.by_q ", "'by_q'", "family 'e'", "VERSIONS", "TTL");
    }
  }

  @Test
  void anothersTableIsLeftAlone() {
    TableDescriptor clone =
        TableDescriptorBuilder.copy(TableName.valueOf("ns", "c"), with(index("by_q")));
    IndexTable beside = IndexTable.named(TableName.valueOf("ns", "c.by_q")).get(0);
    TableDescriptor withoutTable = with(index("by_q").withStrategy("embedded"), index("by_r"));
    assertThat(
            List.of(
                beside.emptied(clone),
                beside.restored(clone),
                beside.weakened(clone),
                BY_Q.emptied(withoutTable),
                BY_Q.restored(withoutTable),
                BY_Q.weakened(withoutTable)))
        .allSatisfy(refusal -> assertThat(refusal).isEmpty());
  }

  @Test
  void whatIsNewerMayBeInUse() {
    TableDescriptor newer =
        TableDescriptorBuilder.newBuilder(with())
            .setValue("deli.index.by_q", "{\"version\":99}")
            .build();
    assertThat(BY_Q.emptied(newer)).isPresent();
    assertThat(BY_Q.weakened(newer)).isPresent();
    assertThat(IndexTableUse.neglected(newer, with(index("by_q")))).isEmpty();
    assertThat(IndexTableUse.neglected(with(), newer)).isEmpty();
  }

  private static boolean isWeakerWith(UnaryOperator<ColumnFamilyDescriptorBuilder> change) {
    byte[] family = Bytes.toBytes("e");
    TableDescriptor altered =
        TableDescriptorBuilder.newBuilder(ENTRIES)
            .modifyColumnFamily(
                change
                    .apply(
                        ColumnFamilyDescriptorBuilder.newBuilder(ENTRIES.getColumnFamily(family)))
                    .build())
            .build();
    // What was altered before the observer was there may be altered back, and in any other way.
    assertThat(IndexTable.isWeaker(ENTRIES, altered)).isFalse();
    assertThat(IndexTable.isWeaker(altered, altered)).isFalse();
    return IndexTable.isWeaker(altered, ENTRIES);
  }

  @Test
  void isWeakerIfItLetsEntriesGoOrKeepsDeletedOnes() {
    assertThat(isWeakerWith(family -> family.setMaxVersions(3))).isTrue();
    assertThat(isWeakerWith(family -> family.setTimeToLive(60))).isTrue();
    assertThat(isWeakerWith(family -> family.setKeepDeletedCells(KeepDeletedCells.TRUE))).isTrue();
    assertThat(isWeakerWith(family -> family.setNewVersionBehavior(true))).isTrue();
    assertThat(isWeakerWith(family -> family.setMobEnabled(true))).isTrue();
    assertThat(isWeakerWith(family -> family.setCompressionType(Compression.Algorithm.GZ)))
        .isFalse();
    assertThat(isWeakerWith(family -> family.setBlocksize(4_096).setMinVersions(0))).isFalse();
  }

  /** The master would end by what reading them throws. */
  @Test
  void isWeakerIfNobodyCanReadItsSettings() {
    assertThat(isWeakerWith(family -> family.setValue("TTL", "soon"))).isTrue();
    assertThat(isWeakerWith(family -> family.setValue("KEEP_DELETED_CELLS", "some"))).isTrue();
    TableDescriptor unreadable =
        TableDescriptorBuilder.newBuilder(ENTRIES).setValue("DURABILITY", "much").build();
    assertThat(IndexTable.isWeaker(unreadable, ENTRIES)).isTrue();
    assertThat(IndexTable.isWeaker(ENTRIES, unreadable)).isFalse();
  }

  @Test
  void isWeakerIfACrashMayTakeEntriesOrItsFamilyGoes() {
    for (Durability durability : Durability.values()) {
      assertThat(
              IndexTable.isWeaker(
                  TableDescriptorBuilder.newBuilder(ENTRIES).setDurability(durability).build(),
                  ENTRIES))
          .as(durability.name())
          .isEqualTo(durability == Durability.SKIP_WAL || durability == Durability.ASYNC_WAL);
    }
    TableDescriptor other = with();
    assertThat(IndexTable.isWeaker(other, ENTRIES)).isTrue();
    assertThat(IndexTable.isWeaker(with(), other)).isFalse();
    assertThat(Optional.of(ENTRIES).filter(IndexTables::isIndexTable)).isPresent();
  }
}
