package io.deli.test.read;

import static io.deli.test.cluster.TestTable.find;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliAsyncConnection;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Action;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads by value keep to the time-outs of their table, as its other reads do. */
@Timeout(90)
class TableSettingsTest {
  private static final ValueQuery FIND = ValueQuery.on(TestTable.INDEX).equalTo(Bytes.toBytes("v"));

  /** Far less than any time-out of the connection, and what the test waits for the others. */
  private static final Duration SOON = Duration.ofSeconds(15);

  private final CountDownLatch over = new CountDownLatch(1);

  private TestTable indexed(String strategy) throws IOException {
    TestTable indexed =
        TestTable.create("read_settings", 1, List.of(TestTable.byQ().withStrategy(strategy)));
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable table = connection.getTable(indexed.name())) {
      table.put(put("row", "v"));
      assertThat(find(table, FIND)).containsExactly("row");
    }
    return indexed;
  }

  /** Holds back what reads entries. */
  private HookObserver holdBack(TestTable indexed, String strategy) throws IOException {
    boolean ofBase = strategy.equals("embedded");
    HookObserver hooks =
        HookObserver.on(ofBase ? indexed.name() : indexed.index().table())
            .each(Moment.CALL, "Scan"::equals, held());
    return hooks.each(Moment.SCAN, held());
  }

  private <T> Action<T> held() {
    return (region, inHand) -> {
      boolean unused = over.await(30, TimeUnit.SECONDS);
    };
  }

  @AfterEach
  void goOn() {
    over.countDown();
  }

  /** A step that should fail, though not at once. */
  private interface Step {
    void run() throws Exception;
  }

  private static void failsSoon(Step step) {
    long begun = System.nanoTime();
    assertThatThrownBy(step::run).isInstanceOf(IOException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
  }

  private static void readsFailSoon(DeliTable table) {
    failsSoon(
        () -> {
          try (ValueScanner hits = table.readValue(FIND)) {
            hits.next();
          }
        });
    failsSoon(() -> table.explain(FIND));
  }

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "lazy", "embedded"})
  void entriesAreReadInTheTimeOfTheTable(String strategy) throws Exception {
    TestTable indexed = indexed(strategy);
    try (DeliConnection connection = MiniCluster.connect()) {
      holdBack(indexed, strategy);
      try (DeliTable table =
          (DeliTable)
              connection.getTableBuilder(indexed.name(), null).setOperationTimeout(1_000).build()) {
        readsFailSoon(table);
      }
    }
  }

  @Test
  @SuppressWarnings("deprecation") // is what is tested
  void timeOutsThatAreSetOnATableCountFromThenOn() throws Exception {
    TestTable indexed = indexed("deferred");
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable table = connection.getTable(indexed.name())) {
      assertThat(find(table, FIND)).containsExactly("row");
      holdBack(indexed, "deferred");
      table.setOperationTimeout(1_000);
      readsFailSoon(table);
    }
  }

  @Test
  void rowsAreReadInTheTimeOfTheTable() throws Exception {
    TestTable indexed = indexed("deferred");
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable table =
            (DeliTable)
                connection
                    .getTableBuilder(indexed.name(), null)
                    .setOperationTimeout(1_000)
                    .build()) {
      HookObserver.on(indexed.name()).each(Moment.GET, held());
      readsFailSoon(table);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "embedded"})
  void anAsynchronousTableKeepsToItsScansTimeOut_andItsAttempts(String strategy) throws Exception {
    TestTable indexed = indexed(strategy);
    try (DeliAsyncConnection connection =
        DeliAsyncConnection.wrap(
            ConnectionFactory.createAsyncConnection(MiniCluster.configuration()).get())) {
      holdBack(indexed, strategy);
      AsyncDeliTable impatient =
          (AsyncDeliTable)
              connection
                  .getTableBuilder(indexed.name())
                  .setReadRpcTimeout(500, TimeUnit.MILLISECONDS)
                  .setMaxAttempts(2)
                  .build();
      AsyncDeliTable hasty =
          (AsyncDeliTable)
              connection
                  .getTableBuilder(indexed.name())
                  .setScanTimeout(1, TimeUnit.SECONDS)
                  .build();
      assertThat(impatient.readValue(FIND)).failsWithin(SOON);
      if (strategy.equals("deferred")) {
        assertThat(hasty.readValue(FIND)).failsWithin(SOON);
      }
    }
  }
}
