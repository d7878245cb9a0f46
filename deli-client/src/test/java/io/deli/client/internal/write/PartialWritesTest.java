package io.deli.client.internal.write;

import static io.deli.client.internal.write.PlannedTable.F;
import static io.deli.client.internal.write.PlannedTable.Q;
import static io.deli.client.internal.write.PlannedTable.ROW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.WriteRefusedException;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import java.util.List;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.junit.jupiter.api.Test;

/** Plans of writes to a table with a partial index, and with a whole one on the same column. */
class PartialWritesTest {
  private static final byte[] STATE = {'s'};
  private static final byte[] OPEN = {'o'};
  private static final byte[] CLOSED = {'c'};

  private static WritePlanner planner(String strategy) {
    IndexDefinition whole = IndexDefinition.on("whole", Column.of(F, Q)).withStrategy(strategy);
    return PlannedTable.planner(
        whole,
        IndexDefinition.on("open", Column.of(F, Q))
            .withStrategy(strategy)
            .withCondition(Column.of(F, STATE), OPEN));
  }

  private static Put put(byte[] state) {
    return new Put(ROW).addColumn(F, Q, Q).addColumn(F, STATE, state);
  }

  private static List<String> indexes(Row operation) throws Exception {
    return planner("deferred").plan(operation).versions().stream()
        .map(version -> version.index().name())
        .toList();
  }

  @Test
  void aVersionWithAnotherValue_hasNoEntryInThePartialIndex() throws Exception {
    assertThat(indexes(put(OPEN))).containsExactlyInAnyOrder("open", "whole");
    assertThat(indexes(put(CLOSED))).containsExactly("whole");
    assertThat(indexes(new Put(ROW).addColumn(F, STATE, CLOSED))).isEmpty();
    assertThat(indexes(new Put(ROW).addColumn(F, OPEN, OPEN))).isEmpty();
    // The second put overwrites what the first has written.
    assertThat(indexes(new RowMutations(ROW).add(List.of(put(CLOSED), put(OPEN)))))
        .containsExactly("open", "whole");
    assertThat(indexes(CheckAndMutate.newBuilder(ROW).ifNotExists(F, Q).build(put(CLOSED))))
        .containsExactly("whole");
  }

  /** Cells from before the index may lie on either side of it. */
  @Test
  void aVersionWhoseTimestampWasGiven_hasItsEntry() throws Exception {
    Put given = new Put(ROW).addColumn(F, Q, 5, Q).addColumn(F, STATE, 5, CLOSED);
    assertThat(indexes(given)).containsExactly("open", "whole");
  }

  @Test
  void anUpdateInPlace_deletesTheFormerEntry_whetherItWritesOneOrNot() throws Exception {
    for (byte[] state : List.of(OPEN, CLOSED)) {
      assertThat(planner("in-place").plan(put(state)).superseded())
          .map(range -> range.index().name())
          .containsExactly("open", "whole");
    }
  }

  @Test
  void whatCouldLackAnEntry_isRefused() throws Exception {
    Put alone = new Put(ROW).addColumn(F, STATE, OPEN);
    for (Row wrong :
        List.of(
            new Put(ROW).addColumn(F, Q, Q),
            alone,
            new Put(ROW).addColumn(F, Q, 5, Q).addColumn(F, STATE, CLOSED),
            new RowMutations(ROW).add(List.of(put(OPEN), alone)),
            CheckAndMutate.newBuilder(ROW).ifNotExists(F, Q).build(alone),
            new Delete(ROW).addColumn(F, Q),
            new Delete(ROW).addColumns(F, STATE),
            new Increment(ROW).addColumn(F, STATE, 1))) {
      assertThatThrownBy(() -> planner("deferred").plan(wrong))
          .as(wrong.toString())
          .isInstanceOf(WriteRefusedException.class)
          .hasMessageStartingWith("table t, row 'r': ")
          .hasMessageContaining("by which index 'open', of rows with f:s=o, could miss the row");
    }
    Delete both = new Delete(ROW).addColumns(F, Q).addColumns(F, STATE);
    assertThat(planner("deferred").plan(both).base()).isNotNull();
    assertThat(planner("composite").plan(both).superseded()).hasSize(2);
  }
}
