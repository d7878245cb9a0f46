package io.deli.test.servermaintained;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;
import static io.deli.test.servermaintained.ServedTable.BY_Q;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.ProgressListener;
import io.deli.config.DeliSettings;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.test.cluster.Counters;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Increments and Appends of a column whose index region servers maintain. */
class ComputedValuesTest {
  private static final byte[] HOT = Bytes.toBytes("hot");
  private static final String REFUSED = "servedRequestsRefused";
  private static final int THREADS = 6;
  private static final int EACH = 18;
  private static final long GRACE_MILLIS = 3_000;

  private final Connection plain = MiniCluster.connection();

  private ServedTable create(IndexDefinition definition, int versions) throws IOException {
    return ServedTable.create(definition, "computed", versions);
  }

  private static Increment increment(byte[] row) {
    return new Increment(row).addColumn(FAMILY, QUALIFIER, 1);
  }

  private static long count(Result answer) {
    return Bytes.toLong(answer.getValue(FAMILY, QUALIFIER));
  }

  /** A way to count one more in a row, which returns the new count. */
  private interface Way {
    long count(byte[] row) throws Exception;
  }

  private static List<Way> ways(Table table, AsyncDeliTable async) {
    return List.of(
        row -> count(table.increment(increment(row))),
        row -> {
          Object[] answers = new Object[2];
          table.batch(List.of(put("beside", "x"), increment(row)), answers);
          return count((Result) answers[1]);
        },
        row ->
            count(
                table.mutateRow(
                    new RowMutations(row)
                        .add(List.of(increment(row), new Put(row).addColumn(FAMILY, OTHER, row))))),
        row ->
            count(
                table
                    .checkAndMutate(
                        CheckAndMutate.newBuilder(row)
                            .ifNotExists(FAMILY, Bytes.toBytes("none"))
                            .build(increment(row)))
                    .getResult()),
        row -> count(async.increment(increment(row)).get()));
  }

  /** Counts in a row of all writers, and in one of its own. */
  private static List<Long> count(List<Way> ways, int writer) throws Exception {
    List<Long> counts = new ArrayList<>();
    for (int n = 0; n < EACH; n++) {
      counts.add(ways.get((writer + n) % ways.size()).count(HOT));
      ways.get(n % ways.size()).count(Bytes.toBytes("row" + writer));
    }
    return counts;
  }

  /** By HBase's own client and by one that is DELI's only by its connection, of the same rows. */
  @ParameterizedTest
  @ValueSource(ints = {1, 200})
  void everyCountOfManyWritersIsFound(int versions) throws Exception {
    ServedTable served = create(BY_Q, versions);
    long refused = Counters.value(REFUSED);
    List<Long> counts = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try (DeliConnection deli = MiniCluster.connect(plain.getConfiguration());
        Table unaware = served.table();
        Table aware = deli.getTable(served.name())) {
      // Its write id is handed down by HBase.
      unaware.put(new Put(HOT).addColumn(FAMILY, QUALIFIER, 7, Bytes.toBytes(0L)));
      List<Way> ways = new ArrayList<>();
      ways.addAll(ways(unaware, deli.getAsyncTable(served.name())));
      ways.addAll(ways(aware, deli.getAsyncTable(served.name())));
      List<Callable<List<Long>>> tasks = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int writer = i;
        tasks.add(() -> count(ways, writer));
      }
      for (Future<List<Long>> done : pool.invokeAll(tasks)) {
        counts.addAll(done.get());
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(counts)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.rangeClosed(1, THREADS * EACH).boxed().toList());
    served.assertRight(1);
    served.assertRight(versions);
    assertCollected(served, Counters.value(REFUSED) - refused);
    served.assertRight(versions);
  }

  /**
   * Collects, after which each version that is left has one entry.
   *
   * @param refused writes that the index, on a busy machine, did not answer in time, which leave
   *     entries of versions that never were
   */
  private void assertCollected(ServedTable served, long refused) throws IOException {
    Set<String> written = served.justifiedByDead();
    assertThat(DeliAdmin.of(plain).collect(served.name(), ProgressListener.NONE).isComplete())
        .isTrue();
    List<String> held = served.entries();
    assertThat(held).filteredOn(written::contains).containsExactlyElementsOf(served.justified());
    assertThat(held)
        .filteredOn(entry -> !written.contains(entry))
        .size()
        .isLessThanOrEqualTo(Math.toIntExact(refused));
  }

  @Test
  void whatADeleteOfTheLatestExposesIsFound() throws Exception {
    ServedTable served = create(BY_Q, 1);
    try (Table table = served.table()) {
      table.put(new Put(HOT).addColumn(FAMILY, QUALIFIER, 7, Bytes.toBytes("a")));
      table.append(new Append(HOT).addColumn(FAMILY, QUALIFIER, Bytes.toBytes("b")));
      MiniCluster.utility().flush(served.name());
      served.deleteEntries();
      table.delete(new Delete(HOT).addColumn(FAMILY, QUALIFIER));
      assertThat(served.assertRight(1)).containsExactly("hot=a@7");
      table.append(new Append(HOT).addColumn(FAMILY, QUALIFIER, Bytes.toBytes("c")));
    }
    assertThat(served.assertRight(1))
        .singleElement(as(InstanceOfAssertFactories.STRING))
        .startsWith("hot=ac@");
  }

  @Test
  void aValueThatAnIndexCannotHoldFailsWithNothingWritten() throws Exception {
    ServedTable served = create(BY_Q.withType(ValueType.INT), 1);
    try (Table table = served.table()) {
      assertThatThrownBy(
              () ->
                  table.mutateRow(
                      new RowMutations(HOT)
                          .add(
                              List.of(new Put(HOT).addColumn(FAMILY, OTHER, HOT), increment(HOT)))))
          .hasMessageContainingAll(served.name().getNameAsString(), "'hot'", "by_q", "INT");
      assertThat(table.exists(new Get(HOT))).isFalse();
    }
    assertThat(served.held()).isEmpty();
  }

  /** Whoever tries again counts once. */
  @Test
  void anIndexThatDoesNotTakeTheEntryHasTheIncrementFail() throws Exception {
    ServedTable served = create(BY_Q, 1);
    HookObserver hooks = HookObserver.on(served.index().table());
    Configuration impatient = MiniCluster.configuration();
    impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    try (Connection connection = ConnectionFactory.createConnection(impatient);
        Table once = connection.getTable(served.name());
        Table patient = served.table()) {
      assertThat(count(patient.increment(increment(HOT)))).isEqualTo(1);
      hooks.once(
          Moment.PUT,
          (region, entry) -> {
            throw new DoNotRetryIOException("no room for entries");
          });
      assertThatThrownBy(() -> once.increment(increment(HOT)))
          .hasStackTraceContaining("no room for entries")
          .hasStackTraceContaining("did not take the entries");
      assertThat(served.assertRight(1)).hasSize(1);
      assertThat(count(patient.get(new Get(HOT)))).isEqualTo(1);
      assertThat(count(patient.increment(increment(HOT)))).isEqualTo(2);
    }
    assertThat(served.assertRight(1)).hasSize(1);
  }

  /** Entries of refused attempts, several on a busy machine, are no version's. */
  @Test
  void anEntryThatIsAcknowledgedTooLateIsSweptWhenItIsOld() throws Exception {
    ServedTable served = create(BY_Q, 1);
    TestTable.set(served.name(), DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE_MILLIS));
    long refused = Counters.value(REFUSED);
    HookObserver.on(served.index().table())
        .once(
            Moment.PUT_DONE,
            (region, entry) ->
                MiniCluster.utility().waitFor(30_000, () -> Counters.value(REFUSED) > refused));
    try (Table table = served.table()) {
      assertThat(count(table.increment(increment(HOT)))).isEqualTo(1);
    }
    assertThat(served.held()).hasSizeGreaterThanOrEqualTo(2);
    served.assertRight(1);
    Thread.sleep(GRACE_MILLIS);
    served.collect();
    assertThat(served.held()).containsExactlyElementsOf(served.assertRight(1));
  }
}
