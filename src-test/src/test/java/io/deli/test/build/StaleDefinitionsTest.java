package io.deli.test.build;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ExistingRows;
import io.deli.client.IndexUnavailableException;
import io.deli.client.ProgressListener;
import io.deli.client.ValueHit;
import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.VerifyOptions;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.master.TableStateManager;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Readers and writers that have not heard of what became of an index. */
class StaleDefinitionsTest {
  private static final int ROWS = 100;
  private static final long LEASE = TimeUnit.SECONDS.toMillis(5);
  private static final long NEVER = TimeUnit.HOURS.toMillis(2);
  private static final byte[] VALUE = Bytes.toBytes("same");
  private static final ValueQuery ALL = ValueQuery.on(INDEX).equalTo(VALUE);

  /** One whose definitions never grow old by themselves. */
  private static DeliConnection stale() throws IOException {
    return BuiltTable.connect(NEVER);
  }

  private static BuiltTable indexed(String stem) throws IOException {
    return indexed(stem, BuiltTable.definition("deferred"));
  }

  private static BuiltTable indexed(String stem, IndexDefinition definition) throws IOException {
    BuiltTable table = BuiltTable.create(stem);
    table.admin().createIndex(table.name(), definition);
    table.write("row", ROWS, "same");
    return table;
  }

  private static long count(Iterable<ValueHit> hits) {
    long count = 0;
    for (ValueHit hit : hits) {
      assertThat(hit.value()).isEqualTo(VALUE);
      count++;
    }
    return count;
  }

  private static long find(DeliConnection connection, BuiltTable table) throws IOException {
    try (DeliTable rows = connection.getTable(table.name());
        ValueScanner hits = rows.readValue(ALL)) {
      return count(hits);
    }
  }

  private static void drop(BuiltTable table) throws IOException {
    table.admin().dropIndex(table.name(), INDEX);
  }

  @Test
  void aReaderOfAnIndexMadeAnewMissesNothing() throws Exception {
    try (BuiltTable table = indexed("anew");
        DeliConnection reader = stale();
        DeliConnection pages = stale()) {
      assertThat(find(reader, table)).isEqualTo(ROWS);
      assertThat(pages.getAsyncTable(table.name()).readValue(ALL.limit(1)).get().hits()).hasSize(1);
      drop(table);
      table.createIndex(BuiltTable.definition("deferred"));
      assertThatThrownBy(() -> find(reader, table)).hasStackTraceContaining("is BUILDING");
      assertThatThrownBy(() -> pages.getAsyncTable(table.name()).readValue(ALL).get())
          .hasCauseInstanceOf(IndexUnavailableException.class)
          .hasMessageContaining("is BUILDING");
      table.build();
      try (DeliConnection other = stale()) {
        assertThat(find(other, table)).isEqualTo(ROWS);
        drop(table);
        table.createIndex(BuiltTable.definition("deferred"));
        table.build();
        assertThat(find(other, table)).isEqualTo(ROWS);
      }
    }
  }

  /** The memory of generations goes with the base table. */
  @Test
  void aReaderOfATableMadeAnewMissesNothing() throws Exception {
    try (BuiltTable table = indexed("remade");
        DeliConnection reader = BuiltTable.connect(2 * LEASE);
        DeliConnection operator = BuiltTable.connect(2 * LEASE);
        Admin hbase = MiniCluster.connection().getAdmin()) {
      assertThat(find(reader, table)).isEqualTo(ROWS);
      TableDescriptor unindexed = TestTable.describe(table.name(), family -> family).build();
      hbase.disableTable(table.name());
      hbase.deleteTable(table.name());
      operator.getDeliAdmin().dropIndex(table.name(), INDEX);
      hbase.createTable(unindexed);
      table.write("row", ROWS, "same");
      table.createIndex(BuiltTable.definition("deferred"));
      assertThatThrownBy(() -> find(reader, table)).hasStackTraceContaining("is BUILDING");
    }
  }

  /** The table's descriptor remembers an earlier generation then. */
  @Test
  void aReaderOfATableRestoredMissesNothing() throws Exception {
    try (BuiltTable table = indexed("restored");
        DeliConnection reader = BuiltTable.connect(2 * LEASE);
        DeliConnection operator = BuiltTable.connect(2 * LEASE);
        Admin hbase = MiniCluster.connection().getAdmin()) {
      String taken = MiniCluster.uniqueTable("snapshot").getNameAsString();
      hbase.snapshot(taken, table.name());
      table.build();
      assertThat(find(reader, table)).isEqualTo(ROWS);
      TableName later = IndexDefinitions.indexTable(table.name(), INDEX, 2);
      hbase.disableTable(table.name());
      hbase.disableTable(later);
      hbase.restoreSnapshot(taken, false);
      hbase.enableTable(table.name());
      operator.getDeliAdmin().dropIndex(table.name(), INDEX);
      assertThat(hbase.tableExists(later)).isFalse();
      table.createIndex(BuiltTable.definition("deferred"));
      assertThatThrownBy(() -> find(reader, table)).hasStackTraceContaining("is BUILDING");
    }
  }

  private interface Change {
    void run() throws IOException;
  }

  /** Begins a change of the index, and waits until it has readers leave. */
  private static FutureTask<Void> unread(BuiltTable table, Change change) throws Exception {
    FutureTask<Void> begun =
        new FutureTask<>(
            () -> {
              change.run();
              return null;
            });
    new Thread(begun).start();
    MiniCluster.utility()
        .waitFor(
            60_000,
            50,
            () -> table.admin().describe(table.name(), INDEX).state() == IndexState.BUILDING);
    return begun;
  }

  @Test
  void anIndexThatIsDroppedTwice_takesNothingFromTheOthers() throws Exception {
    try (BuiltTable table = indexed("twice");
        DeliConnection slow = BuiltTable.connect(4 * LEASE)) {
      IndexDefinition other = IndexDefinition.on("other", BuiltTable.byQ().column());
      table
          .admin()
          .createIndex(
              table.name(), other, CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.BUILD));
      FutureTask<Void> second =
          unread(table, () -> slow.getDeliAdmin().dropIndex(table.name(), INDEX));
      drop(table);
      assertThatThrownBy(second::get)
          .hasMessageContainingAll("'by_q'", "was changed or dropped by another process");
      assertThat(table.admin().list(table.name())).hasSize(1);
      try (Admin admin = MiniCluster.connection().getAdmin()) {
        assertThat(admin.getDescriptor(table.name()).getCoprocessorDescriptors()).isNotEmpty();
      }
    }
  }

  private static void disableSlowly(BuiltTable table) throws Exception {
    try (DeliConnection slow = BuiltTable.connect(2 * LEASE)) {
      unread(table, () -> slow.getDeliAdmin().disable(table.name(), INDEX)).get();
    }
    assertThat(table.admin().describe(table.name(), INDEX).state()).isEqualTo(IndexState.DISABLED);
  }

  /** Some of its regions are open. */
  @Test
  void anIndexWhoseTableIsBeingDisabled_isKeptWhileItMayBeRead() throws Exception {
    try (BuiltTable table = indexed("disabling")) {
      TableStateManager states =
          MiniCluster.utility().getHBaseCluster().getMaster().getTableStateManager();
      TableName entries = IndexDefinitions.indexTable(table.name(), INDEX);
      states.setTableState(entries, TableState.State.DISABLING);
      disableSlowly(table);
      states.setTableState(entries, TableState.State.ENABLED);
    }
  }

  /** By readers who have not heard that another was built. */
  @Test
  void anIndexBuiltAnewWhoseTableIsDisabled_isKeptWhileTheFormerMayBeRead() throws Exception {
    try (BuiltTable table = indexed("former");
        Admin hbase = MiniCluster.connection().getAdmin()) {
      IndexDefinition beside = BuiltTable.definition("deferred").withBeside(2);
      IndexDefinition built = beside.switched();
      hbase.createTable(IndexTables.descriptor(hbase.getDescriptor(table.name()), built));
      hbase.disableTable(IndexDefinitions.indexTable(table.name(), INDEX, 2));
      for (IndexDefinition each : List.of(beside, built)) {
        TestTable.alter(table.name(), descriptor -> IndexDefinitions.put(descriptor, each));
      }
      disableSlowly(table);
    }
  }

  @Test
  void aReaderFindsAnIndexThatWasMadeOrEnabledSinceItLooked() throws Exception {
    try (BuiltTable table = BuiltTable.create("since");
        DeliConnection reader = stale();
        DeliConnection pages = stale()) {
      unavailable(reader, pages, table, "has no index 'by_q'. Create one first");
      table.admin().createIndex(table.name(), BuiltTable.definition("deferred"));
      table.write("row", ROWS, "same");
      found(reader, pages, table);
      table.admin().disable(table.name(), INDEX);
      try (DeliConnection other = stale();
          DeliConnection otherPages = stale()) {
        unavailable(other, otherPages, table, "is DISABLED");
        table.build();
        found(other, otherPages, table);
      }
    }
  }

  private static void unavailable(
      DeliConnection reader, DeliConnection pages, BuiltTable table, String message) {
    assertThatThrownBy(() -> find(reader, table)).hasStackTraceContaining(message);
    assertThatThrownBy(() -> pages.getAsyncTable(table.name()).readValue(ALL).get())
        .hasCauseInstanceOf(IndexUnavailableException.class)
        .hasMessageContaining(message);
  }

  private static void found(DeliConnection reader, DeliConnection pages, BuiltTable table)
      throws Exception {
    assertThat(find(reader, table)).isEqualTo(ROWS);
    assertThat(pages.getAsyncTable(table.name()).readValue(ALL).get().hits()).hasSize(ROWS);
  }

  /** While the index is dropped and made anew. */
  @Test
  void noQueryOfALoopAnswersWithFewerRows() throws Exception {
    try (BuiltTable table = indexed("loop")) {
      try (QueryLoop readers = QueryLoop.start(table, ALL, 3, MiniCluster.configuration(NEVER))) {
        for (int round = 0; round < 2; round++) {
          drop(table);
          table.createIndex(BuiltTable.definition("deferred"));
          table.build();
          readers.awaitMore(10);
        }
        readers.end();
        assertThat(readers.answers()).allMatch(rows -> rows == ROWS);
        assertThat(readers.refusals())
            .allMatch(message -> message.matches(".*(is BUILDING|is DISABLED|has no index).*"));
      }
    }
  }

  /** Whoever began to disable it died while it waited for readers. */
  @Test
  void aReaderMissesNothingWhenADisableIsRepeated() throws Exception {
    try (BuiltTable table = indexed("repeated");
        DeliConnection operator = BuiltTable.connect(LEASE);
        DeliConnection reader = BuiltTable.connect(LEASE)) {
      assertThat(find(reader, table)).isEqualTo(ROWS);
      IndexDefinition unread =
          table.admin().describe(table.name(), INDEX).withState(IndexState.BUILDING);
      TestTable.alter(table.name(), descriptor -> IndexDefinitions.put(descriptor, unread));
      operator.getDeliAdmin().disable(table.name(), INDEX);
      table.write("later", 1, "same");
      assertThatThrownBy(() -> find(reader, table)).hasStackTraceContaining("is DISABLED");
    }
  }

  private static void take(ValueScanner hits, int number) throws IOException {
    for (int i = 0; i < number; i++) {
      assertThat(hits.next()).isPresent();
    }
  }

  private static ValueScanner begin(DeliTable rows) throws IOException {
    ValueScanner hits = rows.readValue(ALL);
    take(hits, 5);
    return hits;
  }

  @Test
  void aScannerGoesOnInWhatWasBuiltAnew() throws Exception {
    try (BuiltTable table = indexed("onwards", BuiltTable.stoppable());
        DeliConnection first = BuiltTable.connectWithPages(NEVER, 10);
        DeliConnection second = BuiltTable.connectWithPages(NEVER, 10);
        DeliTable rows = first.getTable(table.name());
        DeliTable others = second.getTable(table.name());
        ValueScanner amidBuild = begin(rows);
        ValueScanner amidDisable = begin(others);
        ValueScanner amidDrop = begin(others)) {
      table.admin().disable(table.name(), INDEX);
      UserTokenizer.failAt("same");
      assertThatThrownBy(table::build).hasMessageContaining("a bug of the user's");
      UserTokenizer.work();
      assertThatThrownBy(() -> count(amidBuild)).hasStackTraceContaining("is BUILDING");
      table.build();
      assertThat(5 + count(amidDisable)).isEqualTo(ROWS);
      drop(table);
      table.createIndex(BuiltTable.stoppable());
      table.build();
      assertThat(5 + count(amidDrop)).isEqualTo(ROWS);
    }
  }

  @Test
  void aScannerOfAnIndexThatIsAnotherNowEndsWithAnError() throws Exception {
    try (BuiltTable table = indexed("another");
        DeliConnection reader = BuiltTable.connectWithPages(NEVER, 10);
        DeliTable rows = reader.getTable(table.name());
        ValueScanner hits = begin(rows)) {
      drop(table);
      table.createIndex(BuiltTable.definition("deferred").withOrder(EntryOrder.BY_TIME));
      table.build();
      assertThatThrownBy(() -> count(hits)).hasStackTraceContaining("Start the query again");
      assertThat(find(reader, table)).isEqualTo(ROWS);
    }
  }

  @Test
  void aContinuationOutlivesARebuild() throws Exception {
    try (BuiltTable table = indexed("continued")) {
      ValuePage first =
          table.connection().getAsyncTable(table.name()).readValue(ALL.limit(30)).get();
      table.admin().disable(table.name(), INDEX);
      table.build();
      try (DeliTable rows = table.connection().getTable(table.name());
          ValueScanner rest = rows.readValue(ALL.from(first.continuation().orElseThrow()))) {
        assertThat(count(rest)).isEqualTo(ROWS - 30);
      }
    }
  }

  @Test
  void writersLeaveNothingForeignInAnIndexOfAnotherFormat() throws Exception {
    writeByOlder(
        BuiltTable.definition("deferred"),
        BuiltTable.definition("deferred").withOrder(EntryOrder.BY_TIME));
    writeByOlder(BuiltTable.definition("deferred"), BuiltTable.definition("lazy"));
    writeByOlder(
        BuiltTable.definition("lazy"),
        IndexDefinition.on(INDEX, Column.of(FAMILY, Bytes.toBytes("other"))));
  }

  private static void writeByOlder(IndexDefinition before, IndexDefinition after) throws Exception {
    try (BuiltTable table = BuiltTable.create("foreign");
        DeliConnection writer = stale();
        DeliTable rows = writer.getTable(table.name())) {
      table.admin().createIndex(table.name(), before);
      rows.readValue(ALL).close();
      drop(table);
      table
          .admin()
          .createIndex(
              table.name(),
              after,
              CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.LEAVE_UNINDEXED));
      rows.put(put("row", "same"));
      rows.put(List.of(put("row2", "same"), put("row3", "same")));
      boolean indexed = after.column().equals(before.column());
      assertThat(
              table
                  .admin()
                  .verify(table.name(), INDEX, VerifyOptions.DEFAULT, ProgressListener.NONE)
                  .samples())
          .isEmpty();
      try (DeliTable other = table.connection().getTable(table.name());
          ValueScanner hits = other.readValue(ValueQuery.on(INDEX).equalTo(VALUE))) {
        assertThat(count(hits)).isEqualTo(indexed ? 3 : 0);
      }
    }
  }
}
