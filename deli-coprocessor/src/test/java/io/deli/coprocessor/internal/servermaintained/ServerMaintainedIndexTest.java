package io.deli.coprocessor.internal.servermaintained;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ServerMaintainedIndexTest {
  private static final ServerMaintainedIndex BOTH =
      ServerMaintainedIndex.of(
          Index.of(
              TableName.valueOf("t"),
              IndexDefinition.on("both", Column.parse("f:p"), Column.parse("f:q"))));

  private static Cell marker(String qualifier, KeyValue.Type type) {
    return new KeyValue(Bytes.toBytes("r"), Bytes.toBytes("f"), Bytes.toBytes(qualifier), 1, type);
  }

  @Test
  void theDeleteOfOneVersion_ofAnyOfItsColumns_mayExposeAnother() {
    for (String qualifier : new String[] {"p", "q"}) {
      assertThat(BOTH.exposes(marker(qualifier, KeyValue.Type.Delete))).as(qualifier).isTrue();
      assertThat(BOTH.exposes(marker(qualifier, KeyValue.Type.DeleteColumn))).isFalse();
    }
    assertThat(BOTH.exposes(marker("o", KeyValue.Type.Delete))).isFalse();
    assertThat(BOTH.exposes(marker("", KeyValue.Type.DeleteFamilyVersion))).isTrue();
  }
}
