package io.deli.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.entry.WriteId;
import io.deli.index.ClassProbe;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.InvalidIndexException;
import io.deli.index.Maintenance;
import io.deli.index.ValueType;
import io.deli.query.TokenRange;
import io.deli.query.Tuple;
import io.deli.token.Tokenizer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class IndexTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] KEY = {'k'};
  private static final IndexDefinition DEFINITION =
      IndexDefinition.on("i", Column.parse("f:q")).withType(ValueType.INT);
  private static final Index INDEX = Index.of(TABLE, DEFINITION);
  private static final byte[] FIVE = Bytes.toBytes(5);
  private static final byte[] NO_INT = {5};
  private static final byte[] TOKEN = INDEX.storedTokens(FIVE).get(0);

  /** One that fails as a user's may. */
  public static final class Failing implements Tokenizer {
    @Override
    public List<byte[]> tokens(byte[] value) {
      throw value.length == 0 ? new IllegalStateException() : new IllegalStateException("broken");
    }
  }

  private static KeyValue version(String qualifier, long timestamp, byte[] value) {
    return new KeyValue(KEY, Bytes.toBytes("f"), Bytes.toBytes(qualifier), timestamp, value);
  }

  @Test
  void whatTheTokenizerDoesNotTake_isStoredWithoutTokens_butNotWritten() {
    assertThat(INDEX.storedTokens(NO_INT)).isEmpty();
    assertThat(INDEX.hasToken(NO_INT, TOKEN)).isFalse();
    assertThat(INDEX.takes(NO_INT)).isFalse();
    assertThat(INDEX.takes(FIVE)).isTrue();
    BaseVersion version = new BaseVersion(KEY, NO_INT, 1, WriteId.NONE);
    assertThat(INDEX.retract(version)).isEmpty();
    assertThatThrownBy(() -> INDEX.write(version, new Put(KEY)))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContainingAll("table t", "'k'", "f:q", "'i'", "is not a valid INT");
  }

  @Test
  void ofTheNewestVersions_isWhatCompactionsCollect() {
    IndexDefinition newest = DEFINITION.withOption(IndexDefinition.VERSIONS, "1");
    assertThat(INDEX.versions()).isEqualTo(Integer.MAX_VALUE);
    assertThat(Index.of(TABLE, newest).versions()).isEqualTo(1);
    assertThat(Index.of(TABLE, newest).unanswerable())
        .containsExactlyInAnyOrder(QueryKind.values());
    assertThat(Index.of(TABLE, newest).scanned().unanswerable()).isEmpty();
    assertThat(Index.of(TABLE, DEFINITION.withStrategy("in-place")).versions()).isEqualTo(1);
    assertThatThrownBy(() -> Index.of(TABLE, newest.withOption(IndexDefinition.VERSIONS, "2")))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContainingAll("index 'i'", "versions must be 1", "not '2'");
    for (String other : List.of("composite", "lazy", "in-place")) {
      assertThatThrownBy(() -> Index.of(TABLE, newest.withStrategy(other)))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContainingAll("index 'i'", other, "option versions", "one of 'deferred'");
    }
  }

  @Test
  void aComputedValue_isRefusedWithColumnIndexAndRemedy() {
    assertThat(INDEX.computedRefusal(new Append(KEY)))
        .contains(
            "table t, row 'k': Append on column f:q", "index 'i'", "SERVER", "checkAndMutate");
    assertThat(
            Index.of(TABLE, DEFINITION.withStrategy("eager")).computedRefusal(new Increment(KEY)))
        .contains("Increment", ". Read and put the new value by checkAndMutate")
        .doesNotContain("SERVER");
  }

  @Test
  void serversMaintain_onlyWhatTheyNeedNotReadFor() {
    assertThat(Strategies.names(IndexStrategy::isServable))
        .containsExactly("composite", "deferred")
        .allSatisfy(name -> assertThat(served(name).strategy().name()).isEqualTo(name));
    for (String name : List.of("eager", "in-place", "lazy")) {
      assertThatThrownBy(() -> served(name))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContainingAll(
              "index 'i'", "'" + name + "' does not support", "one of 'composite', 'deferred';");
    }
    for (String name : List.of("embedded", "next", "none")) {
      assertThatThrownBy(() -> served(name))
          .hasMessageContainingAll(
              "'" + name + "' has no index table", "'embedded', 'next', 'none' need none");
    }
  }

  private static Index served(String strategy) {
    return Index.of(TABLE, DEFINITION.withStrategy(strategy).withMaintenance(Maintenance.SERVER));
  }

  @Test
  void aVersion_isInTheCellOfItsColumnTimestampAndValue_andInNoOther() {
    BaseVersion version = new BaseVersion(KEY, FIVE, 3, WriteId.NONE);
    IndexedVersion indexed = IndexedVersion.of(INDEX, version, new Put(KEY).setPriority(7));
    assertThat(indexed.isIn(List.of(version("q", 3, FIVE)))).isTrue();
    assertThat(indexed.isIn(List.of(version("other", 3, FIVE)))).isFalse();
    assertThat(indexed.isIn(List.of(version("q", 4, FIVE)))).isFalse();
    assertThat(indexed.isIn(List.of(version("q", 3, Bytes.toBytes(6))))).isFalse();
    KeyValue delete =
        new KeyValue(KEY, Bytes.toBytes("f"), Bytes.toBytes("q"), 3, KeyValue.Type.Delete, FIVE);
    assertThat(indexed.isIn(List.of(delete))).isFalse();
  }

  @Test
  void aVersionOfSeveralColumns_isInTheirCells_andInNoneOfThem() {
    Column one = Column.parse("f:q");
    Index both = Index.of(TABLE, IndexDefinition.on("both", one, Column.parse("f:r")));
    BaseVersion version = new BaseVersion(KEY, Tuple.of(List.of(FIVE, KEY)), 3, WriteId.NONE);
    IndexedVersion indexed = IndexedVersion.of(both, version, new Put(KEY));
    assertThat(indexed.isIn(List.of(version("q", 3, FIVE), version("r", 3, KEY)))).isTrue();
    assertThat(indexed.isIn(List.of(version("q", 3, FIVE)))).isFalse();
    assertThat(indexed.isIn(List.of(version("q", 3, FIVE), version("r", 3, FIVE)))).isFalse();
  }

  @Test
  void aVersionUnderAnotherWriteId_hasItsOwnEntries() {
    BaseVersion version = new BaseVersion(KEY, FIVE, 3, WriteId.NONE);
    IndexedVersion first = IndexedVersion.of(INDEX, version, new Put(KEY).setPriority(7));
    IndexedVersion second = first.withWriteId(WriteId.of(4, 5));
    assertThat(second.version())
        .isEqualTo(new BaseVersion(KEY, FIVE, 3, WriteId.of(4, 5)))
        .isEqualTo(version.withWriteId(WriteId.of(4, 5)));
    assertThat(second.puts())
        .singleElement()
        .satisfies(put -> assertThat(put.getPriority()).isEqualTo(7));
    assertThat(first.deletes()).map(IndexTest::cellKey).isEqualTo(keysOf(first.puts()));
    assertThat(second.deletes()).map(IndexTest::cellKey).isEqualTo(keysOf(second.puts()));
    assertThat(keysOf(second.puts())).doesNotContainAnyElementsOf(keysOf(first.puts()));
  }

  private static List<String> keysOf(List<Put> puts) {
    return puts.stream().map(IndexTest::cellKey).toList();
  }

  /** Row, column and timestamp of the one cell of an index mutation. */
  private static String cellKey(Mutation mutation) {
    Cell cell = mutation.getFamilyCellMap().get(EntryCodec.family()).get(0);
    return Bytes.toStringBinary(CellUtil.cloneRow(cell))
        + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
        + cell.getTimestamp();
  }

  @Test
  void whatATokenizerThrows_isTold() {
    Index failing =
        Index.of(
            TABLE,
            IndexDefinition.on("i", DEFINITION.column()).withTokenizer(Failing.class.getName()));
    assertThatThrownBy(
            () -> failing.write(new BaseVersion(KEY, FIVE, 1, WriteId.NONE), new Put(KEY)))
        .hasMessageEndingWith("index 'i': broken");
    assertThatThrownBy(
            () -> failing.write(new BaseVersion(KEY, new byte[0], 1, WriteId.NONE), new Put(KEY)))
        .hasMessageEndingWith("index 'i': java.lang.IllegalStateException");
    Result row = Result.create(new Cell[] {version("q", 1, FIVE)});
    assertThatThrownBy(() -> new VersionEntries(failing).of(row))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("row 'k': ");
  }

  @Test
  void anEntry_isOfTheVersionWithItsTimestampAndToken() {
    Entry entry = new Entry(TOKEN, KEY, 3, WriteId.NONE);
    assertThat(INDEX.isOf(entry, version("q", 3, FIVE))).isTrue();
    assertThat(INDEX.isOf(entry, version("q", 4, FIVE))).isFalse();
    assertThat(INDEX.isOf(entry, version("q", 3, Bytes.toBytes(6)))).isFalse();
    assertThat(INDEX.hasToken(FIVE, TokenRange.only(TOKEN))).isTrue();
    assertThat(INDEX.hasToken(Bytes.toBytes(6), TokenRange.only(TOKEN))).isFalse();
  }

  @Test
  void entriesToBuild_areThoseOfEachVersionOfTheColumn() throws Exception {
    WriteId id = WriteId.of(4, 5);
    Cell tagged =
        KeyValueUtil.copyToNewKeyValue(
            PrivateCellUtil.createCell(
                version("q", 6, FIVE),
                List.of(new ArrayBackedTag(WriteId.TAG_TYPE, id.toBytes()))));
    VersionEntries entries = new VersionEntries(INDEX);
    Result row =
        Result.create(
            new Cell[] {
              version("other", 9, FIVE),
              new KeyValue(KEY, Bytes.toBytes("f"), Bytes.toBytes("q"), 8, KeyValue.Type.Delete),
              version("q", 7, NO_INT),
              tagged,
              version("q", 5, FIVE)
            });
    assertThat(
            entries.of(row).stream()
                .map(put -> INDEX.codec().decode(put.get(Bytes.toBytes("e"), id(put)).get(0))))
        .containsExactly(new Entry(TOKEN, KEY, 6, id), new Entry(TOKEN, KEY, 5, WriteId.NONE));
    assertThat(entries.refused()).isEqualTo(1);
    assertThat(entries.refusal()).hasValueSatisfying(why -> assertThat(why).startsWith("row '"));
  }

  private static byte[] id(Put put) {
    return put.getTimestamp() == 6 ? WriteId.of(4, 5).toBytes() : new byte[0];
  }

  @Test
  void indexesThatAreReadAlike_haveTableStrategyOrderAndTokensInCommon() {
    List<UnaryOperator<IndexDefinition>> same =
        List.of(d -> d.withState(IndexState.BUILDING), d -> d.withBeside(2));
    List<UnaryOperator<IndexDefinition>> other =
        List.of(
            d -> d.at(2),
            d -> d.withStrategy("composite"),
            d -> d.withOrder(EntryOrder.BY_TIME),
            d -> d.withType(ValueType.LONG));
    assertThat(same).allMatch(change -> INDEX.reads(Index.of(TABLE, change.apply(DEFINITION))));
    assertThat(other).noneMatch(change -> INDEX.reads(Index.of(TABLE, change.apply(DEFINITION))));
  }

  @Test
  void generations_areEachAnIndexOfItsOwn() {
    assertThat(INDEX.generations()).containsExactly(INDEX);
    Index both = Index.of(TABLE, DEFINITION.at(3).withBeside(2));
    assertThat(both.generations())
        .extracting(Index::table)
        .containsExactly(TableName.valueOf("t.i.3"), TableName.valueOf("t.i.2"));
    assertThat(both.definition().isRebuilt()).isFalse();
    assertThat(both.definition().switched()).isEqualTo(DEFINITION.at(2).withBeside(3));
    assertThat(both.definition().switched().isRebuilt()).isTrue();
    assertThat(DEFINITION.isRebuilt()).isFalse();
  }

  @Test
  void ofATable_areItsDefinitionsByName() {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
    IndexDefinitions.put(table, DEFINITION);
    IndexDefinition served =
        IndexDefinition.on("h", DEFINITION.column()).withMaintenance(Maintenance.SERVER);
    IndexDefinitions.put(table, served);
    List<Index> all = Index.allOf(table.build());
    assertThat(all).extracting(Index::name).containsExactly("h", "i");
    assertThat(all.get(0).scanned().definition())
        .isEqualTo(served.withStrategy("none").withMaintenance(Maintenance.CLIENT));
  }

  @Test
  void states_tellWhoMayUseAnIndex() {
    assertThat(IndexState.values())
        .filteredOn(IndexState::maintained)
        .containsExactly(IndexState.BUILDING, IndexState.ACTIVE);
    assertThat(IndexState.values())
        .filteredOn(IndexState::readable)
        .containsExactly(IndexState.ACTIVE);
  }

  @Test
  void aProbe_failsWhereAClassIsMissing() throws Exception {
    ClassProbe probe = new ClassProbe(List.of("java.lang.String", "java.lang.Object"));
    assertThat(probe.toByteArray()).asString().isEqualTo("java.lang.String,java.lang.Object");
    ClassProbe read = ClassProbe.parseFrom(probe.toByteArray());
    assertThat(read.toByteArray()).isEqualTo(probe.toByteArray());
    assertThat(read.filterAllRemaining()).isTrue();
    assertThatThrownBy(() -> ClassProbe.parseFrom(Bytes.toBytes("java.lang.String,no.Such")))
        .isInstanceOf(DeserializationException.class)
        .hasMessageContaining("class not found: no.Such");
  }
}
