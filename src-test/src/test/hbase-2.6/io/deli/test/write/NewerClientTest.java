package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.TestTable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTable.PartialResultCoprocessorCallback;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What HBase's client has since 2.6 works through DELI's. */
class NewerClientTest extends ConfiguredClient {
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] VALUE = Bytes.toBytes("a");
  private static TestTable written;

  @BeforeAll
  static void create() throws Exception {
    written = TestTable.create("newer", 3);
  }

  private static Put put() {
    return new Put(ROW).addColumn(FAMILY, QUALIFIER, VALUE);
  }

  @Test
  void checkAndMutateTellsTheMetricsThatAreAskedFor() throws Exception {
    CheckAndMutate.Builder holds =
        CheckAndMutate.newBuilder(ROW).ifEquals(FAMILY, QUALIFIER, VALUE).queryMetricsEnabled(true);
    try (Table table = connection.getTable(written.name())) {
      table.put(put());
      assertThat(table.checkAndMutate(holds.build(put())).getMetrics()).isNotNull();
      assertThat(table.checkAndMutate(holds.build(new Delete(ROW))).getMetrics()).isNotNull();
    }
    written.assertIndexed();
  }

  @Test
  void requestsCarryTheAttributesThatTheirTableWasGiven() throws Exception {
    try (Table table =
        connection.getTableBuilder(written.name(), null).setRequestAttribute("a", VALUE).build()) {
      table.put(put());
      assertThat(table.getRequestAttributes()).isEqualTo(Map.of("a", VALUE));
    }
    BufferedMutatorParams params =
        new BufferedMutatorParams(written.name()).setRequestAttribute("a", VALUE);
    try (BufferedMutator mutator = connection.getBufferedMutator(params)) {
      mutator.mutate(put());
      mutator.flush();
      assertThat(mutator.getRequestAttributes()).isEqualTo(Map.of("a", VALUE));
    }
    written.assertIndexed();
  }

  /** Of the shared requests to region servers by which files' indexes are read, too. */
  @ParameterizedTest
  @ValueSource(strings = {"deferred", "embedded"})
  void lookupsCarryTheAttributesThatTheirTableWasGiven(String strategy) throws Exception {
    TestTable read =
        TestTable.create("newer_reads", 1, List.of(TestTable.byQ().withStrategy(strategy)));
    TableName scanned = strategy.equals("embedded") ? read.name() : read.index().table();
    List<Map<String, byte[]>> attributes = new CopyOnWriteArrayList<>();
    ValueQuery query = ValueQuery.on(TestTable.INDEX).equalTo(VALUE);
    try (DeliTable plain = (DeliTable) connection.getTable(read.name());
        DeliTable table =
            (DeliTable)
                connection
                    .getTableBuilder(read.name(), null)
                    .setRequestAttribute("a", VALUE)
                    .build()) {
      plain.put(put());
      HookObserver.on(scanned)
          .each(
              Moment.SCAN,
              (region, scan) ->
                  attributes.add(RpcServer.getCurrentCall().orElseThrow().getRequestAttributes()));
      assertThat(TestTable.find(table, query)).containsExactly("row");
      assertThat(table.explain(query).reads().hits()).isEqualTo(1);
      assertThat(attributes)
          .hasSizeGreaterThan(1)
          .allMatch(each -> Arrays.equals(each.get("a"), VALUE));
      attributes.clear();
      assertThat(TestTable.find(plain, query)).containsExactly("row");
      assertThat(attributes).isNotEmpty().allMatch(Map::isEmpty);
    }
  }

  /** What {@link AsyncTable} itself does with them loses all parts of an answer but the first. */
  @Test
  void answersInPartsAreLeftToTheTableBehind() {
    assertThat(
            Arrays.stream(AsyncDeliTable.class.getMethods())
                .filter(method -> method.getName().equals("coprocessorService"))
                .filter(
                    method ->
                        method.getParameterTypes()[2] == PartialResultCoprocessorCallback.class))
        .hasSize(1)
        .noneMatch(method -> method.getDeclaringClass() == AsyncTable.class);
  }
}
