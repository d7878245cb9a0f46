package io.deli.tools.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.strategy.IndexDefinitions;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class ColumnTypesTest {
  private static final Column TIME = Column.parse("d:time");
  private static final IndexDefinition ANY = IndexDefinition.on("any", TIME);
  private static final IndexDefinition JOINED =
      IndexDefinition.on("joined", Column.parse("d:user"), TIME)
          .withType(ValueType.STRING, ValueType.LONG);
  private static final IndexDefinition TEXT =
      IndexDefinition.on("text", TIME).withType(ValueType.STRING);

  private static ColumnTypes types(Map<String, ValueType> given, IndexDefinition... indexes) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"));
    for (IndexDefinition index : indexes) {
      IndexDefinitions.put(table, index);
    }
    return new ColumnTypes(table.build(), null, given);
  }

  @Test
  void indexesThatDiffer_tellThatAColumnHoldsNumbers() {
    assertThat(types(Map.of(), ANY, JOINED, TEXT).all())
        .isEqualTo(Map.of(Column.parse("d:user"), ValueType.STRING, TIME, ValueType.LONG));
  }

  @Test
  void theConditionOfAPartialIndex_isShownAsItsColumnHoldsIt() {
    IndexDefinition partial =
        IndexDefinition.on("partial", Column.parse("d:user"))
            .withCondition(TIME, ValueType.LONG.parse("83"));

    assertThat(types(Map.of(), JOINED).readable(partial).options())
        .containsEntry(IndexDefinition.WHERE, "d:time=83");
    assertThat(types(Map.of()).readable(partial).options())
        .containsEntry(IndexDefinition.WHERE, "d:time=\\x00\\x00\\x00\\x00\\x00\\x00\\x00S");
  }

  @Test
  void aTypeThatAnIndexDoesNotTake_isRefused() {
    assertThatThrownBy(() -> types(Map.of("time", ValueType.STRING), JOINED))
        .hasMessageContainingAll("--types", "d:time as STRING", "'joined' takes LONG");
  }
}
