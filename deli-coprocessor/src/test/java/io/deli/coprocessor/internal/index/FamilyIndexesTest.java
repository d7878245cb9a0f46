package io.deli.coprocessor.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
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
}
