package io.deli.coprocessor.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class FamilyIndexesTest {
  @Test
  void aColumn_isUnresolved_whereAnIndexOfItIs_orAnyMayBe() {
    Column column = Column.parse("f:q");
    Column other = Column.parse("f:o");
    FamilyIndexes one = new FamilyIndexes(List.of(), List.of(column), false);
    assertThat(one.hasUnresolved(column)).isTrue();
    assertThat(one.hasUnresolved(other)).isFalse();
    assertThat(new FamilyIndexes(List.of(), List.of(), true).hasUnresolved(other)).isTrue();
  }

  private static Index index(String name, String column, boolean newest) {
    IndexDefinition definition = IndexDefinition.on(name, Column.parse(column));
    return Index.of(
        TableName.valueOf("t"),
        newest ? definition.withOption(IndexDefinition.VERSIONS, "1") : definition);
  }

  private static Cell cell(String qualifier) {
    return new KeyValue(
        Bytes.toBytes("r"), Bytes.toBytes("f"), Bytes.toBytes(qualifier), 1, Bytes.toBytes("v"));
  }

  @Test
  void supersededVersionsAreForgotten_byIndexesOfTheNewest_thatCanBeKept() {
    Index newest = index("newest", "f:q", true);
    Index all = index("all", "f:q", false);
    Index other = index("other", "f:o", true);
    FamilyIndexes both = new FamilyIndexes(List.of(all, newest), List.of(), false);
    assertThat(both.forgets(cell("q"))).isTrue();
    assertThat(both.forgets(cell("o"))).isFalse();
    assertThat(both.forgets(newest)).isTrue();
    assertThat(both.forgets(all)).isFalse();
    assertThat(both.forgets(other)).as("of another family").isFalse();
    FamilyIndexes everyVersion = new FamilyIndexes(List.of(all), List.of(), false);
    assertThat(everyVersion.forgets(cell("q"))).isFalse();
    FamilyIndexes unresolved =
        new FamilyIndexes(List.of(newest, other), List.of(newest.column()), false);
    assertThat(unresolved.forgets(newest)).isFalse();
    assertThat(unresolved.forgets(other)).isTrue();
  }

  private static FamilyIndexes of(IndexDefinition... definitions) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
    for (IndexDefinition each : definitions) {
      IndexDefinitions.put(table, each);
    }
    return TableIndexes.of(table.build(), false, problem -> assertThat(problem).isEmpty())
        .of(Bytes.toBytes("f"))
        .orElseThrow();
  }

  @Test
  void aColumnByWhichAPartialIndexHasItsRows_staysAsLongAsTheIndexedOne() {
    Cell condition = cell("o");
    IndexDefinition all = IndexDefinition.on("all", Column.parse("f:q"));
    IndexDefinition open =
        IndexDefinition.on("open", Column.parse("f:q"))
            .withCondition(Column.parse("f:o"), Bytes.toBytes("open"));
    FamilyIndexes partial = of(open);
    assertThat(partial.covers(condition)).isTrue();
    assertThat(partial.forgets(condition)).isTrue();
    assertThat(partial.collects(condition)).as("has entries").isFalse();
    assertThat(partial.of(condition)).isEmpty();
    FamilyIndexes beside = of(all, open.withStrategy("in-place"));
    assertThat(beside.covers(condition)).isTrue();
    assertThat(beside.forgets(condition)).as("retracted at once").isTrue();
    FamilyIndexes retracted = of(open.withStrategy("in-place"));
    assertThat(retracted.collectsNothing()).isTrue();
    assertThat(retracted.covers(condition)).isFalse();
    assertThat(retracted.isRetracted(condition)).isTrue();
    assertThat(of(all).covers(condition)).isFalse();
  }

  @Test
  void anIndexOfTheTableOfASnapshot_keepsNothing_thoughItCannotBeUsedHere() {
    TableDescriptor origin =
        IndexDefinitions.put(
                TableDescriptorBuilder.newBuilder(TableName.valueOf("origin"))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")),
                IndexDefinition.on("i", Column.parse("f:q")).withTokenizer("not.Here"))
            .build();
    List<String> problems = new ArrayList<>();
    assertThat(TableIndexes.of(origin, false, problems::add).of(Bytes.toBytes("f")))
        .get()
        .returns(false, FamilyIndexes::collectsNothing);
    TableDescriptor clone = TableDescriptorBuilder.copy(TableName.valueOf("clone"), origin);
    assertThat(TableIndexes.of(clone, false, problems::add).of(Bytes.toBytes("f"))).isEmpty();
    assertThat(problems).hasSize(2).allMatch(problem -> problem.contains("not.Here"));
    assertThat(problems.get(0)).contains("are kept");
    assertThat(problems.get(1)).doesNotContain("are kept");
  }
}
