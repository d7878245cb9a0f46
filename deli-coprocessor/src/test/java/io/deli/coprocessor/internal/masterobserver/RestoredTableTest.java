package io.deli.coprocessor.internal.masterobserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.strategy.IndexDefinitions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RestoredTableTest {
  private static final TableName TABLE = TableName.valueOf("ns", "t");
  private static final TableName BY_Q = TableName.valueOf("ns", "t.by_q");
  private static final TableName BY_R = TableName.valueOf("ns", "t.by_r");
  private static final TableName CHECKPOINT = TableName.valueOf("ns", "t.by_q.build");

  private static TableDescriptorBuilder table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
  }

  static IndexDefinition index(String name) {
    return IndexDefinition.on(name, Column.of(Bytes.toBytes("f"), Bytes.toBytes("q")));
  }

  static TableDescriptor with(IndexDefinition... indexes) {
    TableDescriptorBuilder table = table(TABLE);
    for (IndexDefinition index : indexes) {
      IndexDefinitions.put(table, index);
    }
    return table.build();
  }

  private static RestoredTable cloned(TableDescriptor table) {
    return RestoredTable.of(table, Optional.empty());
  }

  @Test
  void isRefusedWhileAnIndexTableCanBeUsed() {
    for (IndexState state : new IndexState[] {IndexState.ACTIVE, IndexState.BUILDING}) {
      RestoredTable restored = cloned(with(index("by_q").withState(state), index("by_r")));
      assertThat(restored.indexTables())
          .containsExactlyElementsOf(
              state == IndexState.ACTIVE ? List.of(BY_Q, BY_R) : List.of(BY_Q, CHECKPOINT, BY_R));
      assertThat(restored.refusal(Set.of())).isEmpty();
      assertThat(restored.refusal(Set.of(BY_Q)).orElseThrow())
          .contains(
              "table ns:t ",
              "'by_q'",
              "disable 'ns:t.by_q'",
              "deli disable-index ns:t by_q",
              "deli build ns:t by_q")
          .doesNotContain("by_r");
      assertThat(restored.refusal(Set.of(BY_Q, BY_R)).orElseThrow())
          .contains("disable 'ns:t.by_q', disable 'ns:t.by_r'");
    }
  }

  /** It may be that of a later moment, by which the build would leave out what it has not done. */
  @Test
  void isRefusedWhileTheCheckpointOfABuildCanBeUsed() {
    RestoredTable built = cloned(with(index("by_q").withState(IndexState.BUILDING), index("by_r")));
    assertThat(built.refusal(Set.of(CHECKPOINT)).orElseThrow())
        .contains("disable 'ns:t.by_q.build'", "deli build ns:t by_q")
        .doesNotContain("by_r");
    assertThat(cloned(with(index("by_q").at(3).withBeside(4))).indexTables())
        .containsExactly(
            TableName.valueOf("ns", "t.by_q.3"), TableName.valueOf("ns", "t.by_q.4"), CHECKPOINT);
  }

  /** What is in use now is, until clients have heard of its end; but it cannot be built then. */
  @Test
  void isRefusedAlsoForAnIndexThatIsNotInTheSnapshot() {
    RestoredTable restored =
        RestoredTable.of(with(), Optional.of(with(index("by_q"), index("by_r"))));
    assertThat(restored.refusal(Set.of(BY_R)).orElseThrow())
        .contains("disable 'ns:t.by_r'", "deli drop-index ns:t by_r")
        .doesNotContain("deli build", "deli disable-index", "by_q");
    RestoredTable disabled =
        RestoredTable.of(
            with(index("by_q").withState(IndexState.DISABLED)), Optional.of(with(index("by_q"))));
    assertThat(disabled.refusal(Set.of(BY_Q)).orElseThrow()).contains("deli build ns:t by_q");
  }

  @Test
  void comesBackWithIndexesThatNobodyUsesOrThatHaveNoTable() {
    assertThat(cloned(with()).indexTables()).isEmpty();
    assertThat(cloned(with(index("by_q").withState(IndexState.DISABLED))).indexTables()).isEmpty();
    for (String strategy : new String[] {"embedded", "next", "none"}) {
      assertThat(cloned(with(index("by_q").withStrategy(strategy))).indexTables()).isEmpty();
    }
  }

  /** It names the table that it is of. */
  @Test
  void aCloneOfAnotherNameUsesNoIndexYet() {
    TableDescriptor clone =
        TableDescriptorBuilder.copy(TableName.valueOf("ns", "c"), with(index("by_q")));
    assertThat(cloned(clone).indexTables()).isEmpty();
  }

  @Test
  void whatIsNewerOrNoDefinitionMayBeInUse() {
    TableDescriptor newer =
        TableDescriptorBuilder.newBuilder(with(index("by_q"), index("by_s").at(4)))
            .setValue("deli.index.by_r", "{\"version\":99}")
            .setValue("deli.index.no table's name", "x")
            .build();
    assertThat(cloned(newer).indexTables())
        .containsExactly(BY_Q, BY_R, TableName.valueOf("ns", "t.by_s.4"));
  }
}
