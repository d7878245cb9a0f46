package io.deli.test.servermaintained;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.VerifyOptions;
import io.deli.config.DeliSettings;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.index.Maintenance;
import io.deli.query.Tuple;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Puts of some columns of an index on several, by HBase's own client: queries find the row by what
 * a Get shows of its columns, whoever wrote them and when.
 */
class PartialPutsTest {
  private static final Column A = Column.parse("f:a");
  private static final Column B = Column.parse("f:b");
  private static final Column C = Column.parse("f:c");
  private static final String INDEX = "joined";
  private static final long GRACE_MILLIS = 1_000;
  private static final int WRITES = 60;

  private static IndexDefinition on(Column... columns) {
    return on(INDEX, columns);
  }

  private static IndexDefinition on(String name, Column... columns) {
    return IndexDefinition.on(name, columns)
        .withMaintenance(Maintenance.SERVER)
        .withOption(IndexDefinition.PARTIAL_WRITES, "read");
  }

  private static TestTable create(IndexDefinition... definitions) throws IOException {
    return TestTable.createAsOperator(
        TestTable.describe("partial", 3)
            .setValue(DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE_MILLIS)),
        List.of(definitions));
  }

  private static Put put(String row, Column column, String value) {
    return put(row, column, HConstants.LATEST_TIMESTAMP, value);
  }

  private static Put put(String row, Column column, long timestamp, String value) {
    return new Put(Bytes.toBytes(row))
        .addColumn(FAMILY, column.qualifier(), timestamp, Bytes.toBytes(value));
  }

  private static Put whole(String row, long timestamp, String a, String b) {
    return put(row, A, timestamp, a).addColumn(FAMILY, B.qualifier(), timestamp, Bytes.toBytes(b));
  }

  private static Delete delete(String row, Column column) {
    return new Delete(Bytes.toBytes(row)).addColumns(FAMILY, column.qualifier());
  }

  /** Finds, by each index, the rows that have all its columns, whatever their timestamps. */
  private static SortedSet<String> assertRight(TestTable table) throws IOException {
    SortedSet<String> all = new TreeSet<>();
    for (IndexDefinition each : DeliAdmin.of(table.plain()).list(table.name())) {
      SortedSet<String> shown = shown(table, each);
      assertThat(found(table, each)).as(each.name()).isEqualTo(shown);
      all.addAll(shown);
    }
    return all;
  }

  private static SortedSet<String> shown(TestTable table, IndexDefinition index)
      throws IOException {
    SortedSet<String> shown = new TreeSet<>();
    try (Table plain = table.table();
        ResultScanner rows = plain.getScanner(new Scan())) {
      for (Result row : rows) {
        List<byte[]> values = new ArrayList<>();
        index
            .columns()
            .forEach(each -> values.add(row.getValue(FAMILY, each.column().qualifier())));
        if (!values.contains(null)) {
          shown.add(text(row.getRow(), values));
        }
      }
    }
    return shown;
  }

  private static SortedSet<String> found(TestTable table, IndexDefinition index)
      throws IOException {
    SortedSet<String> found = new TreeSet<>();
    try (DeliConnection deli = MiniCluster.connect(table.plain().getConfiguration());
        DeliTable queried = deli.getTable(table.name());
        ValueScanner hits = queried.readValue(ValueQuery.on(index.name()).atLeast(new byte[0]))) {
      for (ValueHit hit : hits) {
        found.add(
            text(hit.row(), index.isJoined() ? Tuple.values(hit.value()) : List.of(hit.value())));
      }
    }
    return found;
  }

  private static String text(byte[] row, List<byte[]> values) {
    return Bytes.toString(row)
        + "="
        + values.stream().map(Bytes::toString).collect(Collectors.joining("/"));
  }

  private static void assertCollected(TestTable table) throws Exception {
    TimeUnit.MILLISECONDS.sleep(GRACE_MILLIS + 10);
    DeliAdmin admin = DeliAdmin.of(table.plain());
    admin.collect(table.name(), ProgressListener.NONE);
    assertRight(table);
    for (IndexDefinition each : admin.list(table.name())) {
      assertThat(
              admin
                  .verify(table.name(), each.name(), VerifyOptions.DEFAULT, ProgressListener.NONE)
                  .isClean())
          .as(each.name())
          .isTrue();
    }
  }

  @Test
  void columnsThatAreWrittenApartAreFoundTogether() throws Exception {
    TestTable partial = create(on(A, B, C));
    try (Table table = partial.table()) {
      table.put(put("r", C, "c1"));
      table.put(put("r", A, "a1"));
      table.put(put("r", A, "a2"));
      assertThat(assertRight(partial)).isEmpty();
      table.put(put("r", B, "b1"));
      assertThat(assertRight(partial)).containsExactly("r=a2/b1/c1");
      table.put(put("r", A, "a3"));
      table.put(put("r", C, "c2").addColumn(FAMILY, B.qualifier(), Bytes.toBytes("b2")));
      assertThat(assertRight(partial)).containsExactly("r=a3/b2/c2");
      table.delete(delete("r", B));
      table.put(put("r", A, "a4"));
      assertThat(assertRight(partial)).isEmpty();
      MiniCluster.utility().flush(partial.name());
      table.put(put("r", B, "b3"));
      assertThat(assertRight(partial)).containsExactly("r=a4/b3/c2");
      table.delete(new Delete(Bytes.toBytes("r")));
      table.put(put("r", B, "b4"));
      assertThat(assertRight(partial)).isEmpty();
      Result row = table.get(new Get(Bytes.toBytes("r")));
      assertThat(row.size()).isEqualTo(1);
    }
    assertCollected(partial);
  }

  @Test
  void allKindsOfBatchesAreCompleted() throws Exception {
    TestTable partial = create(on(A, B));
    try (Table table = partial.table()) {
      table.put(List.of(put("r", A, "a1"), put("r", B, "b1"), put("s", A, "a1")));
      assertThat(assertRight(partial)).containsExactly("r=a1/b1");
      table.put(
          List.of(
              whole("r", HConstants.LATEST_TIMESTAMP, "a2", "b2"),
              put("r", A, "a3"),
              put("s", B, "b3"),
              put("s", A, "a4")));
      assertThat(assertRight(partial)).containsExactly("r=a3/b2", "s=a4/b3");
      table.mutateRow(
          new RowMutations(Bytes.toBytes("r"))
              .add(List.of(put("r", B, "b5"), put("r", Column.of(FAMILY, OTHER), "x"))));
      CheckAndMutate.Builder condition =
          CheckAndMutate.newBuilder(Bytes.toBytes("s"))
              .ifEquals(FAMILY, A.qualifier(), Bytes.toBytes("a4"));
      assertThat(table.checkAndMutate(condition.build(put("s", A, "a6"))).isSuccess()).isTrue();
      assertThat(assertRight(partial)).containsExactly("r=a3/b5", "s=a6/b3");
      table.mutateRow(
          new RowMutations(Bytes.toBytes("r")).add(List.of(delete("r", B), put("r", A, "a7"))));
      table.batch(List.of(delete("s", A), put("s", B, "b8")), new Object[2]);
      assertThat(assertRight(partial)).isEmpty();
      table.put(List.of(put("r", B, "b9"), put("s", A, "a9")));
      assertThat(assertRight(partial)).containsExactly("r=a7/b9", "s=a9/b8");
    }
    assertCollected(partial);
  }

  /** Each column has one writer, whose last value stays, whatever the others put again. */
  @Test
  void writersOfDifferentColumnsLoseNothing() throws Exception {
    Column other = Column.of(FAMILY, OTHER);
    TestTable partial = create(on(A, B, C), IndexDefinition.on("by_other", other));
    ExecutorService pool = Executors.newFixedThreadPool(3);
    List<Callable<Void>> writers = new ArrayList<>();
    try (DeliConnection deli = MiniCluster.connect(partial.plain().getConfiguration());
        Table aware = deli.getTable(partial.name());
        Table table = partial.table()) {
      for (Column column : List.of(A, B)) {
        writers.add(
            () -> {
              for (int i = 1; i <= WRITES; i++) {
                table.put(put("r", column, "v" + i));
              }
              return null;
            });
      }
      // Its client draws timestamps.
      writers.add(
          () -> {
            for (int i = 1; i <= WRITES; i++) {
              aware.put(put("r", C, "v" + i).addColumn(FAMILY, OTHER, Bytes.toBytes("o")));
            }
            return null;
          });
      for (Future<Void> done : pool.invokeAll(writers)) {
        done.get();
      }
    } finally {
      pool.shutdownNow();
    }
    String last = "v" + WRITES;
    assertThat(assertRight(partial))
        .containsExactly("r=o", "r=" + String.join("/", last, last, last));
    assertCollected(partial);
  }

  /** A writer whose entries are on their way is not hidden by what another puts again meanwhile. */
  @Test
  void whatIsOvertakenIsWrittenAgain() throws Exception {
    TestTable partial = create(on(A, B));
    HookObserver hooks = HookObserver.on(partial.index().table());
    try (Table table = partial.table();
        Table another = partial.table()) {
      table.put(whole("r", HConstants.LATEST_TIMESTAMP, "a1", "b1"));
      hooks.once(Moment.PUT, (region, entry) -> another.put(put("r", A, "a2")));
      table.put(whole("r", HConstants.LATEST_TIMESTAMP, "a3", "b3"));
      assertThat(assertRight(partial)).containsExactly("r=a3/b3");
    }
    assertCollected(partial);
  }

  @Test
  void anIndexThatDoesNotTakeTheEntryHasThePutFail() throws Exception {
    TestTable partial = create(on(A, B));
    HookObserver hooks = HookObserver.on(partial.index().table());
    try (Table table = partial.table()) {
      table.put(List.of(put("r", A, "a1"), put("r", B, "b1")));
      hooks.once(
          Moment.PUT,
          (region, entry) -> {
            throw new DoNotRetryIOException("no room for entries");
          });
      assertThatThrownBy(() -> table.put(put("r", A, "a2")))
          .hasStackTraceContaining("no room for entries");
      assertThat(assertRight(partial)).containsExactly("r=a1/b1");
      table.put(put("r", A, "a3"));
      assertThat(assertRight(partial)).containsExactly("r=a3/b1");
    }
    assertCollected(partial);
  }

  /** By their writers' timestamps. */
  @Test
  void datedPutsAreCompletedByWhatTheRowHadThen() throws Exception {
    TestTable partial = create(on(A, B));
    try (Table table = partial.table()) {
      table.put(whole("r", 10, "a10", "b10"));
      table.put(whole("r", 20, "a20", "b20"));
      table.put(put("r", A, 15, "a15"));
      table.put(put("r", B, 5, "b5"));
      assertThat(assertRight(partial)).containsExactly("r=a20/b20");
      Get then = new Get(Bytes.toBytes("r")).setTimeRange(0, 16);
      assertThat(text(then.getRow(), values(table.get(then)))).isEqualTo("r=a15/b10");
      try (DeliConnection deli = MiniCluster.connect(partial.plain().getConfiguration());
          DeliTable queried = deli.getTable(partial.name());
          ValueScanner hits =
              queried.readValue(ValueQuery.on(INDEX).equalTo(Bytes.toBytes("a15")).asOf(15))) {
        assertThat(hits).extracting(ValueHit::timestamp).containsExactly(15L);
      }
      table.put(put("r", B, 30, "b30"));
      assertThat(assertRight(partial)).containsExactly("r=a20/b30");
      table.put(put("s", A, 30, "a30"));
      assertThatThrownBy(() -> table.put(put("s", B, 20, "b20")))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContainingAll("'s'", INDEX, "f:b", "behind that of another: 20");
      assertThatThrownBy(() -> table.put(whole("s", 20, "a20", "b20")))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContainingAll("'s'", INDEX, "behind that of another: 20");
      long ahead = System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1);
      assertThatThrownBy(() -> table.put(put("s", B, ahead, "b")))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContainingAll("'s'", INDEX, "f:b", "ahead of the clock");
      table.put(put("s", B, 31, "b31"));
      assertThat(assertRight(partial)).containsExactly("r=a20/b30", "s=a30/b31");
      table.delete(delete("s", A));
      table.put(whole("s", 25, "a25", "b25"));
      assertThat(assertRight(partial)).containsExactly("r=a20/b30");
    }
    assertCollected(partial);
  }

  private static List<byte[]> values(Result row) {
    return Arrays.asList(row.getValue(FAMILY, A.qualifier()), row.getValue(FAMILY, B.qualifier()));
  }

  @Test
  void otherIndexesOfAColumnThatIsPutAgainFollow() throws Exception {
    TestTable partial =
        create(
            on(A, B),
            on("chained", B, C),
            IndexDefinition.on("by_b", B).withMaintenance(Maintenance.SERVER));
    try (Table table = partial.table()) {
      table.put(List.of(put("r", C, "c1"), put("r", B, "b1"), put("r", A, "a1")));
      assertThat(assertRight(partial)).containsExactly("r=a1/b1", "r=b1", "r=b1/c1");
      table.put(put("r", A, "a2"));
      assertThat(assertRight(partial)).containsExactly("r=a2/b1", "r=b1", "r=b1/c1");
      DeliAdmin.of(partial.plain())
          .createIndex(
              partial.name(),
              IndexDefinition.on("by_client", C),
              CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.LEAVE_UNINDEXED));
      assertThatThrownBy(() -> table.put(put("r", A, "a3")))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContainingAll(partial.name().toString(), "f:c", "'by_client'");
      DeliAdmin.of(partial.plain()).dropIndex(partial.name(), "by_client");
    }
    assertRight(partial);
    assertCollected(partial);
  }

  @Test
  void whatCannotBeCompletedIsRefused() throws Exception {
    TestTable partial = create(on(A, B));
    byte[] row = Bytes.toBytes("r");
    try (Table table = partial.table()) {
      table.put(put("r", A, "a1"));
      List<Mutation> refused =
          List.of(
              put("r", B, "b").setTTL(60_000),
              put("r", A, 5, "a").addColumn(FAMILY, B.qualifier(), 6, row),
              new Delete(row).addColumn(FAMILY, B.qualifier()),
              new Increment(row).addColumn(FAMILY, B.qualifier(), 1));
      for (Mutation each : refused) {
        assertThatThrownBy(() -> table.batch(List.of(each), new Object[1]))
            .as("%s", each)
            .hasMessageContainingAll(partial.name().toString(), "'r'", INDEX);
      }
      table.put(whole("s", HConstants.LATEST_TIMESTAMP, "a", "b").setTTL(600_000));
      Object[] answers = new Object[2];
      assertThatThrownBy(() -> table.batch(List.of(put("s", A, "a2"), put("r", B, "b2")), answers))
          .hasMessageContainingAll("'s'", INDEX, "time to live");
      assertThat(answers[1]).isInstanceOf(Result.class);
    }
    assertThat(assertRight(partial)).containsExactly("r=a1/b2", "s=a/b");
    IndexDefinition byClients = on(A, B).withMaintenance(Maintenance.CLIENT);
    assertThatThrownBy(() -> create(byClients))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContainingAll(INDEX, "partial-writes=read", "SERVER");
  }
}
