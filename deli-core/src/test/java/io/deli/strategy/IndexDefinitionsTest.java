package io.deli.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.ByteStrings;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.IndexTableName;
import io.deli.index.InvalidIndexException;
import io.deli.index.KeyColumn;
import io.deli.index.Maintenance;
import io.deli.index.ValueType;
import io.deli.strategy.internal.DefinitionJson;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

class IndexDefinitionsTest {
  private static final TableName TABLE = TableName.valueOf("ns:t");
  private static final IndexDefinition DEFINITION =
      IndexDefinition.on("by_user", Column.parse("d:user"));

  @Provide
  Arbitrary<Column> columns() {
    Arbitrary<byte[]> families =
        Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(5).map(Bytes::toBytes);
    return Combinators.combine(families, ByteStrings.bytes()).as(Column::of);
  }

  @Provide
  Arbitrary<IndexDefinition> definitions() {
    Arbitrary<Map<String, String>> options =
        Arbitraries.maps(Arbitraries.strings().ofMaxLength(5), Arbitraries.strings().ofMaxLength(5))
            .ofMaxSize(3);
    return Combinators.combine(
            columns(),
            Arbitraries.of(ValueType.class),
            Arbitraries.of(EntryOrder.class),
            Arbitraries.of(Maintenance.class),
            Arbitraries.of(IndexState.BUILDING, IndexState.ACTIVE, IndexState.DISABLED),
            options)
        .as(
            (column, type, order, maintenance, state, all) ->
                new IndexDefinition(
                    "i",
                    List.of(new KeyColumn(column, type, false)),
                    "exact",
                    "deferred",
                    order,
                    maintenance,
                    state,
                    1,
                    0,
                    all));
  }

  @Property
  void comesBackFromTheDescriptor(@ForAll("definitions") IndexDefinition definition) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE);
    IndexDefinitions.put(table, definition);
    assertThat(IndexDefinitions.of(table.build())).containsExactly(definition);
  }

  @Property
  void columnsComeBackFromText(@ForAll("columns") Column column) {
    assertThat(Column.parse(column.toString())).isEqualTo(column).hasSameHashCodeAs(column);
  }

  @Example
  void areListedByNameAndRemoved() {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE).setValue("k", "v");
    IndexDefinitions.put(table, DEFINITION);
    IndexDefinitions.put(table, IndexDefinition.on("a", Column.parse("d:a")));
    assertThat(IndexDefinitions.of(table.build()))
        .extracting(IndexDefinition::name)
        .containsExactly("a", "by_user");
    table.setValue("deli.index.future", "{\"version\":99}");
    assertThat(IndexDefinitions.names(table.build())).containsExactly("a", "by_user", "future");
    IndexDefinitions.remove(table, "future");
    IndexDefinitions.remove(table, "a");
    IndexDefinitions.put(table, DEFINITION.withState(IndexState.DISABLED));
    assertThat(IndexDefinitions.of(table.build()))
        .containsExactly(DEFINITION.withState(IndexState.DISABLED));
  }

  /** As a snapshot brings it. What is in the table's own files came along. */
  @Example
  void thoseOfAnotherTableAreDetachedUntilTheyArePutThere() {
    TableDescriptorBuilder original = TableDescriptorBuilder.newBuilder(TABLE);
    IndexDefinitions.put(original, DEFINITION);
    IndexDefinition inFiles = IndexDefinition.on("files", Column.parse("d:f")).withStrategy("next");
    IndexDefinitions.put(original, inFiles);
    TableName other = TableName.valueOf("ns:clone");
    TableDescriptor clone = TableDescriptorBuilder.copy(other, original.build());
    IndexDefinition detached = DEFINITION.withState(IndexState.DETACHED);
    assertThat(IndexDefinitions.of(clone)).containsExactly(detached, inFiles);

    TableDescriptorBuilder kept = TableDescriptorBuilder.newBuilder(clone);
    assertThat(IndexDefinitions.of(IndexDefinitions.put(kept, detached).build()))
        .containsExactly(DEFINITION.withState(IndexState.DISABLED), inFiles);
    assertThat(IndexDefinitions.of(IndexDefinitions.put(kept, DEFINITION).build()))
        .containsExactly(DEFINITION, inFiles);
  }

  /** The table beside is that of a build which nobody goes on with. */
  @Example
  void thoseOfAnotherTableHaveNoGenerationBeside() {
    TableName other = TableName.valueOf("ns:clone");
    for (IndexDefinition built :
        List.of(DEFINITION.withBeside(2), DEFINITION.withBeside(2).switched())) {
      TableDescriptorBuilder original = TableDescriptorBuilder.newBuilder(TABLE);
      IndexDefinitions.put(original, built);
      assertThat(IndexDefinitions.of(TableDescriptorBuilder.copy(other, original.build())))
          .containsExactly(built.at(built.generation()).withState(IndexState.DETACHED));
    }
  }

  /** Earlier releases did not say whose a definition is. */
  @Example
  void thoseOfNoTableAreTheTablesOwn() {
    String json = DefinitionJson.write(TABLE, DEFINITION).replaceFirst("\"table\":\"[^\"]*\",", "");
    assertThat(json).doesNotContain("table");
    assertThat(DefinitionJson.read(TABLE, json, "here")).isEqualTo(DEFINITION);
  }

  @Example
  void aNewerVersionIsRefused() {
    String newer =
        DefinitionJson.write(TABLE, DEFINITION).replace("\"version\":1", "\"version\":7");
    assertThatThrownBy(() -> DefinitionJson.read(TABLE, newer, "table ns:t, value 'deli.index.x'"))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContainingAll("ns:t", "format version 7", "up to 6", "upgrade DELI");
  }

  /** One that reads up to version 1 would leave it to nobody. */
  @Example
  void onlyReadersThatKnowAreGivenWhatServersMaintain() {
    assertThat(DefinitionJson.write(TABLE, DEFINITION))
        .contains("\"version\":1")
        .doesNotContain("maintenance");
    assertThat(DefinitionJson.write(TABLE, DEFINITION.withMaintenance(Maintenance.SERVER)))
        .contains("\"version\":2", "\"maintenance\":\"SERVER\"");
  }

  /** One that knows the first generation only would read and write a table that is gone. */
  @Example
  void onlyReadersThatKnowAreGivenLaterGenerations() {
    assertThat(DefinitionJson.write(TABLE, DEFINITION)).doesNotContain("generation", "beside");
    for (IndexDefinition later :
        List.of(DEFINITION.at(2), DEFINITION.withBeside(2), DEFINITION.at(3).withBeside(2))) {
      String json = DefinitionJson.write(TABLE, later);
      assertThat(json).contains("\"version\":3");
      assertThat(DefinitionJson.read(TABLE, json, "here")).isEqualTo(later);
    }
  }

  /** One that passes the option over would write and look for rows without a salt. */
  @Example
  void onlyReadersThatKnowAreGivenBuckets() {
    IndexDefinition salted = DEFINITION.at(2).withOption(IndexDefinition.BUCKETS, "16");
    String json = DefinitionJson.write(TABLE, salted);
    assertThat(json).contains("\"version\":4", "\"buckets\":\"16\"");
    assertThat(DefinitionJson.read(TABLE, json, "here")).isEqualTo(salted);
    assertThat(salted.tokenSource()).isNotEqualTo(DEFINITION.tokenSource());
  }

  /** One that passes the option over would let writes pass that bring rows in without entries. */
  @Example
  void onlyReadersThatKnowAreGivenConditions() {
    IndexDefinition partial = DEFINITION.withCondition(Column.parse("d:state"), new byte[] {0});
    String json = DefinitionJson.write(TABLE, partial);
    assertThat(json).contains("\"version\":5", "d:state");
    assertThat(DefinitionJson.read(TABLE, json, "here")).isEqualTo(partial);
    assertThat(partial.options()).containsEntry(IndexDefinition.WHERE, "d:state=\\x00");
    assertThat(partial.tokenSource()).isNotEqualTo(DEFINITION.tokenSource());
  }

  @Example
  void bucketsAreForStrategiesWhoseRowsMayHaveASalt() {
    IndexDefinition salted = DEFINITION.withOption(IndexDefinition.BUCKETS, "16");
    assertThat(DEFINITION.buckets()).isEqualTo(1);
    assertThat(Index.of(TABLE, DEFINITION).codec().buckets().areSalted()).isFalse();
    for (String strategy : new String[] {"deferred", "composite", "in-place"}) {
      Index index = Index.of(TABLE, salted.withStrategy(strategy));
      assertThat(index.codec().buckets().count()).isEqualTo(16);
      assertThat(index.reads(Index.of(TABLE, DEFINITION.withStrategy(strategy)))).isFalse();
      assertThat(index.scanned().strategy().name()).isEqualTo("none");
    }
    for (String strategy : new String[] {"eager", "lazy", "embedded", "next", "none"}) {
      assertThatThrownBy(() -> Index.of(TABLE, salted.withStrategy(strategy)))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContainingAll(
              "by_user",
              List.of("eager", "lazy").contains(strategy)
                  ? "'" + strategy + "' does not support buckets"
                  : "'" + strategy + "' has no index table for buckets",
              "Leave them out",
              "'deferred'");
    }
    assertThat(DEFINITION.withOption(IndexDefinition.BUCKETS, "2").buckets()).isEqualTo(2);
    assertThat(DEFINITION.withOption(IndexDefinition.BUCKETS, "256").buckets()).isEqualTo(256);
    for (String number : new String[] {"", "1", "257", "-3", "many"}) {
      assertThatThrownBy(
              () -> Index.of(TABLE, DEFINITION.withOption(IndexDefinition.BUCKETS, number)))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContainingAll("by_user", "buckets", "2 to 256", "'" + number + "'");
    }
  }

  @Example
  void theGenerationsThatAnIndexHadAreRemembered() {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE);
    String name = DEFINITION.name();
    assertThat(IndexDefinitions.lastGeneration(table.build(), name)).isZero();
    IndexDefinitions.put(table, DEFINITION);
    assertThat(IndexDefinitions.lastGeneration(table.build(), name)).isEqualTo(1);
    IndexDefinitions.put(table, DEFINITION.withBeside(2));
    IndexDefinitions.put(table, DEFINITION);
    assertThat(IndexDefinitions.lastGeneration(table.build(), name)).isEqualTo(2);
    IndexDefinitions.put(table, DEFINITION.at(3));
    IndexDefinitions.remove(table, name);
    assertThat(IndexDefinitions.lastGeneration(table.build(), name)).isEqualTo(3);
    assertThat(IndexDefinitions.of(table.build())).isEmpty();
    assertThat(IndexDefinitions.names(table.build())).isEmpty();
  }

  @Example
  void whatCannotBeRead_doesNotForgetGenerations() {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE);
    IndexDefinitions.put(table, DEFINITION.at(3));
    IndexDefinitions.put(table, DEFINITION.at(4));
    table.setValue("deli.index.by_user", "{");
    assertThat(IndexDefinitions.lastGeneration(table.build(), "by_user")).isEqualTo(3);
    assertThat(IndexDefinitions.remove(table, "by_user")).isSameAs(table);
  }

  @Example
  void aGenerationIsPartOfTheNameOfItsTable() {
    TableName base = TableName.valueOf("ns", "a.b");
    assertThat(IndexDefinitions.indexTables(base, DEFINITION.at(3).withBeside(2)))
        .extracting(TableName::getNameAsString)
        .containsExactly(
            "ns:a.b." + DEFINITION.name() + ".3", "ns:a.b." + DEFINITION.name() + ".2");
    assertThat(IndexTableName.readings(TableName.valueOf("ns", "a.b.2")))
        .containsExactly(
            new IndexTableName(TableName.valueOf("ns", "a"), "b", 2),
            new IndexTableName(TableName.valueOf("ns", "a.b"), "2", 1));
    for (String other : List.of("a.b.1", "a.b.02", "a.b.x")) {
      assertThat(IndexTableName.readings(TableName.valueOf(other))).hasSize(1);
    }
    assertThat(IndexDefinitions.indexTable(base, "i")).isEqualTo(TableName.valueOf("ns:a.b.i"));
    for (String none : List.of("a", "a.", "hbase:a.b")) {
      assertThat(IndexTableName.readings(TableName.valueOf(none))).isEmpty();
    }
  }

  /** Of what it does not understand, a server must know whether others rely on it. */
  @Example
  void whatServersAreToMaintainIsToldOfNewerVersions() {
    IndexDefinition served = DEFINITION.withMaintenance(Maintenance.SERVER);
    String newer = DefinitionJson.write(TABLE, served).replace("\"version\":2", "\"version\":4");
    assertThat(DefinitionJson.serverMaintainedColumn(TABLE, newer)).hasValue(DEFINITION.column());
    assertThat(DefinitionJson.serverMaintainedColumn(TABLE, newer.replace("BY_KEY", "BY_CHANCE")))
        .hasValue(DEFINITION.column());
    assertThat(DefinitionJson.serverMaintainedColumn(TABLE, newer.replace("ACTIVE", "DISABLED")))
        .isEmpty();
    assertThat(DefinitionJson.serverMaintainedColumn(TableName.valueOf("copy"), newer)).isEmpty();
    for (String none :
        new String[] {DefinitionJson.write(TABLE, DEFINITION), "", "{", "[]", "null"}) {
      assertThat(DefinitionJson.serverMaintainedColumn(TABLE, none)).isEmpty();
    }
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE);
    IndexDefinitions.put(table, DEFINITION);
    assertThat(IndexDefinitions.serverMaintainedColumns(table.build())).isEmpty();
    table.setValue("deli.index.newer", newer);
    assertThat(IndexDefinitions.serverMaintainedColumns(table.build()))
        .containsExactly(DEFINITION.column());
  }

  @Example
  void serversMaintainWhatTakesOnlyPuts() {
    for (String strategy : new String[] {"deferred", "composite"}) {
      assertThat(Index.of(TABLE, served(strategy)).definition().maintenance())
          .isEqualTo(Maintenance.SERVER);
    }
    for (String strategy : new String[] {"in-place", "eager", "lazy", "embedded", "next", "none"}) {
      assertThatThrownBy(() -> Index.of(TABLE, served(strategy)))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContainingAll("by_user", strategy, "SERVER", "'deferred'");
    }
  }

  private static IndexDefinition served(String strategy) {
    return DEFINITION.withMaintenance(Maintenance.SERVER).withStrategy(strategy);
  }

  @Example
  void brokenOnesAreRefused() {
    String whole = DefinitionJson.write(TABLE, DEFINITION);
    for (String broken :
        new String[] {
          "",
          "null",
          "[]",
          "{",
          "{}",
          "nonsense",
          "{\"version\":\"x\"}",
          "{\"version\":0}",
          "{\"version\":1}",
          whole.replace("d:user", "user"),
          whole.replace("d:user", "d:user\\\\x0"),
          whole.replace("BYTES", "BLOB"),
          whole.replace("BY_KEY", "BY_CHANCE"),
          whole.replace("ACTIVE", "ASLEEP"),
          whole.replace("by_user", "by user"),
          whole.replace("\"tokenizer\":\"exact\",", ""),
        }) {
      assertThatThrownBy(() -> DefinitionJson.read(TABLE, broken, "table ns:t"))
          .as(broken)
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContaining("table ns:t");
    }
  }

  /** Region servers remember what they have logged once. */
  @Example
  void whatIsBroken_isShownInPart() {
    String junk = "x".repeat(1 << 20);
    String whole = DefinitionJson.write(TABLE, DEFINITION);
    for (String broken : List.of(junk, whole.replace("BYTES", junk), "{\"" + junk + "\":1}")) {
      assertThatThrownBy(() -> DefinitionJson.read(TABLE, broken, "table ns:t"))
          .isInstanceOf(InvalidIndexException.class)
          .message()
          .hasSizeLessThan(1_000);
    }
  }

  @Example
  void columnsAreComparedByFamilyAndQualifier() {
    Column column = Column.parse("d:user");
    for (String other : List.of("e:user", "d:use", "d:", "d:users")) {
      assertThat(Column.parse(other)).isNotEqualTo(column);
    }
    for (String none : List.of("", "d", ":user")) {
      assertThatThrownBy(() -> Column.parse(none)).hasMessageContaining("write family:qualifier");
    }
    assertThatThrownBy(() -> Column.of(new byte[0], new byte[1])).hasMessageContaining("a family");
  }

  @Example
  void namesAreRestricted() {
    for (String name : new String[] {null, "", "a b", "a:b", "a.b", "a".repeat(129)}) {
      assertThatThrownBy(() -> IndexDefinition.on(name, Column.parse("d:c")))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContaining("index name");
    }
  }

  @Example
  void theIndexTableBelongsToItsBase() {
    byte[] family = Bytes.toBytes("d");
    TableDescriptor base =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
            .build();
    TableDescriptor index = IndexTables.descriptor(base, DEFINITION);
    assertThat(index.getTableName()).isEqualTo(TableName.valueOf("ns:t.by_user"));
    assertThat(index.getValue(IndexTables.PURGE_DELETES)).isEqualTo("0");
    assertThat(index.getColumnFamilies())
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.getMaxVersions()).isEqualTo(Integer.MAX_VALUE);
              assertThat(each.getTimeToLive()).isEqualTo(Integer.MAX_VALUE);
            });
    IndexDefinition elsewhere = IndexDefinition.on("i", Column.parse("x:c"));
    assertThatThrownBy(() -> IndexTables.descriptor(base, elsewhere))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("no column family 'x'");
  }
}
