package io.deli.client.internal.write;

import static io.deli.client.internal.write.PlannedTable.F;
import static io.deli.client.internal.write.PlannedTable.Q;
import static io.deli.client.internal.write.PlannedTable.ROW;
import static io.deli.client.internal.write.PlannedTable.VALUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.IndexUnavailableException;
import io.deli.client.internal.write.IndexedTableWriter.Setup;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.service.TimestampRefusal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.junit.jupiter.api.Test;

/** Writes of cells that their writer may not be shown. */
class HiddenCellsTest {
  private static final IndexDefinition INDEX = IndexDefinition.on("i", Column.of(F, Q));

  private static Setup setup(RecordedClients clients) {
    return PlannedTable.setup(clients, System::nanoTime, INDEX);
  }

  private static RecordedClients afterRefusal(RecordedClients clients, Put put) throws Exception {
    Setup setup = setup(clients);
    WritePlan plan = PlannedTable.planner(INDEX).plan(put);
    long drawn = plan.timestamp().orElseThrow().timestamp();
    new TimestampRetries(setup, new IndexWriter(setup))
        .deleteEntries(plan, new TimestampRefusal(drawn + 1, drawn + 2), plan.versions(), true);
    return clients;
  }

  /** It may have been applied before, or another client's of the same timestamp. */
  @Test
  void theEntryOfARefusedTimestampIsDeletedOnlyIfItsWriterWouldSeeTheVersion() throws Exception {
    assertThat(afterRefusal(new RecordedClients(), PlannedTable.put()).toIndexes()).hasSize(1);
    assertThat(afterRefusal(RecordedClients.unreadable(), PlannedTable.put()).toIndexes())
        .isEmpty();
    Put labelled = PlannedTable.put().setCellVisibility(new CellVisibility("secret"));
    assertThat(afterRefusal(new RecordedClients(), labelled).toIndexes()).isEmpty();
    Put ofOthers = PlannedTable.put().setACL("somebody", new Permission(Permission.Action.READ));
    assertThat(afterRefusal(new RecordedClients(), ofOthers).toIndexes()).isEmpty();
  }

  @Test
  void whatCannotBeReadBackForANewIndexIsNotAcknowledged() throws Exception {
    RecordedClients shown =
        new RecordedClients(Result.create(List.of(new KeyValue(ROW, F, Q, 7, VALUE))));
    RecordedClients other =
        new RecordedClients(Result.create(List.of(new KeyValue(ROW, F, Q, 8, Q))));
    Put given = new Put(ROW).addColumn(F, Q, 7, VALUE);
    assertThat(settled(shown, PlannedTable.put())).isCompleted();
    assertThat(settled(shown, given)).isCompleted();
    Put replaced = new Put(ROW).addColumn(F, Q, 7, Q);
    assertThat(settled(shown, RowMutations.of(List.of(replaced, given)))).isCompleted();
    assertThat(shown.toIndexes()).hasSize(3);
    for (RecordedClients hiding : List.of(other, new RecordedClients())) {
      for (Row row : List.of(given, PlannedTable.put(), RowMutations.of(List.of(given)))) {
        assertThat(settled(hiding, row))
            .failsWithin(Duration.ZERO)
            .withThrowableThat()
            .withCauseInstanceOf(IndexUnavailableException.class);
      }
      assertThat(settled(hiding, new Delete(ROW))).isCompleted();
    }
  }

  /** Its reader is not the one to write entries. */
  @Test
  void aGetBehindWhichAnIndexWasCreatedWritesNoEntries() {
    RecordedClients shown =
        new RecordedClients(Result.create(List.of(new KeyValue(ROW, F, Q, 7, VALUE))));
    assertThat(settled(shown, new Get(ROW))).isCompleted();
    assertThat(shown.toIndexes()).isEmpty();
  }

  private static CompletableFuture<Void> settled(RecordedClients clients, Row operation) {
    Setup setup = setup(clients);
    return new MissedIndexes(setup, new IndexWriter(setup)).settle(PlannedTable.table(), operation);
  }
}
