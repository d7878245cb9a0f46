package io.deli.client.internal.write;

import static io.deli.client.internal.write.PlannedTable.F;
import static io.deli.client.internal.write.PlannedTable.OTHER;
import static io.deli.client.internal.write.PlannedTable.Q;
import static io.deli.client.internal.write.PlannedTable.ROW;
import static io.deli.client.internal.write.PlannedTable.VALUE;
import static io.deli.client.internal.write.PlannedTable.planner;
import static io.deli.client.internal.write.PlannedTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.WriteRefusedException;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.query.Tuple;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.junit.jupiter.api.Test;

/** Writes to a table with an index on several columns. */
class JoinedPlansTest {
  private static final byte[] T = {'t'};
  private static final IndexDefinition JOINED =
      IndexDefinition.on("joined", Column.parse("f:q"), Column.parse("f:t"));

  @Test
  void aPutOfSeveralColumns_hasOneEntryForEachTimestamp() throws Exception {
    WritePlanner planner = planner(JOINED.withStrategy("in-place"));
    WritePlan plan = planner.plan(put().addColumn(F, T, OTHER).addColumn(F, OTHER, VALUE));
    assertThat(plan.versions()).hasSize(1);
    assertThat(Tuple.values(plan.versions().get(0).version().value()))
        .containsExactly(VALUE, OTHER);
    assertThat(plan.superseded()).hasSize(1);
    assertThat(
            planner
                .plan(
                    new Put(ROW)
                        .addColumn(F, Q, 5, VALUE)
                        .addColumn(F, T, 5, OTHER)
                        .addColumn(F, Q, 6, OTHER)
                        .addColumn(F, T, 6, VALUE))
                .versions())
        .extracting(version -> version.version().timestamp())
        .containsExactly(6L, 5L);
    assertThat(planner.plan(new Put(ROW).addColumn(F, OTHER, VALUE)).hasEntries()).isFalse();
    assertThat(planner.plan(new Delete(ROW).addColumns(F, Q)).superseded()).hasSize(1);
    assertThat(planner.plan(new Delete(ROW)).superseded()).hasSize(1);
  }

  @Test
  void whatWouldPairVersionsOfDifferentWrites_isRefused() {
    WritePlanner planner = planner(JOINED);
    Map<Row, String> refused = new LinkedHashMap<>();
    refused.put(put(), "column f:q is put without f:t. Put all columns");
    refused.put(
        new Put(ROW).addColumn(F, Q, 5, VALUE).addColumn(F, T, 6, VALUE),
        "different timestamps. Give all of them one");
    refused.put(put().addColumn(F, T, VALUE).addColumn(F, T, OTHER), "put twice");
    refused.put(new Delete(ROW).addColumn(F, T), "single version");
    refused.put(new Delete(ROW).addColumn(F, Q, 5).addColumn(F, T, 5), "Delete all versions");
    refused.put(new Delete(ROW).addFamilyVersion(F, 5), "single version");
    refused.put(
        new Delete(ROW).addColumns(F, T).setCellVisibility(new CellVisibility("a")),
        "labels may show an older version");
    refused.put(new Append(ROW).addColumn(F, T, VALUE), "Append on column f:t");
    refused.put(CheckAndMutate.newBuilder(ROW).ifNotExists(F, Q).build(put()), "put without f:t");
    refused.forEach(
        (operation, reason) ->
            assertThatThrownBy(() -> planner.plan(operation))
                .isInstanceOf(WriteRefusedException.class)
                .hasMessageContainingAll("table t, row 'r', index 'joined'", reason));
  }
}
