package io.deli.test.observe;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.test.cluster.Counters;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.observe.MetricsPage.Metric;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is measured, and that docs/reference.md names all of it. */
class MetricsTest {
  private TableName table;

  @BeforeEach
  void createTable() throws IOException {
    table = create(TestTable.byQ());
  }

  private static TableName create(IndexDefinition index) throws IOException {
    return TestTable.createAsOperator(TestTable.describe("metrics", 1), List.of(index)).name();
  }

  private static void read(DeliTable rows, String value) throws IOException {
    try (ValueScanner hits = rows.readValue(ValueQuery.on(INDEX).equalTo(Bytes.toBytes(value)))) {
      hits.forEach(hit -> {});
    }
  }

  @Test
  void readsAreMeasuredByIndex() throws Exception {
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable rows = connection.getTable(table)) {
      rows.put(put("r", "old"));
      rows.put(put("r", "new"));
      read(rows, "old");
      read(rows, "new");
      ClientBeans beans = ClientBeans.thatRead(table);
      assertThat(beans.count("query")).isEqualTo(2);
      assertThat((double) beans.of("query", "Max")).isPositive();
      assertThat(beans.count("entriesRead")).isEqualTo(2);
      assertThat(beans.count("entriesStale")).isEqualTo(1);
      assertThat(beans.of("staleRatio", "Value")).isEqualTo(0.5);
      assertThat(beans.of(table, INDEX, "query", "Count")).isEqualTo(2L);
      assertThat(beans.of(table, INDEX, "staleRatio", "Value")).isEqualTo(0.5);
      assertThat(beans.count("queriesFailed")).isZero();
    }
  }

  @Test
  void anAbandonedScannerCountsWhenItIsClosed() throws Exception {
    try (DeliConnection connection = MiniCluster.connect("deli.read.page", "1");
        DeliTable rows = connection.getTable(table)) {
      rows.put(List.of(put("a", "v"), put("b", "v"), put("c", "v")));
      try (ValueScanner hits = rows.readValue(ValueQuery.on(INDEX).equalTo(Bytes.toBytes("v")))) {
        assertThat(hits.next()).isPresent();
      }
      assertThat(ClientBeans.thatRead(table).count("query")).isEqualTo(1);
    }
  }

  @Test
  void writesAreMeasuredByKind() throws Exception {
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable rows = connection.getTable(table)) {
      rows.put(put("a", "v"));
      rows.put(List.of(put("b", "v"), put("c", "v")));
      rows.delete(new Delete(Bytes.toBytes("b")));
      rows.mutateRow(RowMutations.of(List.of(put("a", "w"))));
      rows.checkAndMutate(
          CheckAndMutate.newBuilder(Bytes.toBytes("a"))
              .ifNotExists(FAMILY, OTHER)
              .build(put("a", "x")));
      AsyncDeliTable asynchronous = connection.getAsyncTable(table);
      asynchronous
          .append(new Append(Bytes.toBytes("a")).addColumn(FAMILY, OTHER, Bytes.toBytes("y")))
          .join();
      read(rows, "v");
      ClientBeans beans = ClientBeans.thatRead(table);
      for (String once :
          List.of("put", "batch", "delete", "mutateRow", "checkAndMutate", "other")) {
        assertThat(beans.count(once)).as(once).isEqualTo(1);
      }
      assertThat(beans.count("operations")).isEqualTo(7);
      assertThat(beans.count("operationsFailed")).isZero();
      assertThat(beans.count("entries")).as("of all that put a value").isEqualTo(4);
      assertThat(beans.count("lateWrites")).isZero();
    }
  }

  @Test
  void lateWritesAndRepairsAreCounted() throws Exception {
    // Whatever takes time at all takes too long.
    try (DeliConnection connection = MiniCluster.connect("deli.repair.grace.ms", "0");
        DeliTable rows = connection.getTable(table)) {
      rows.put(put("r", "old"));
      rows.put(put("r", "new"));
      read(rows, "old");
      ClientBeans beans = ClientBeans.thatRead(table);
      assertThat(beans.count("lateWrites")).isEqualTo(2);
      Eventually.holds(
          () -> {
            read(rows, "old");
            assertThat((long) beans.of("repairsReported", "Value")).isPositive();
          });
    }
  }

  @Test
  void thereIsNothingOfAConnectionThatDoesNotMeasure() throws Exception {
    Set<ObjectName> before = ClientBeans.all();
    try (DeliConnection connection = MiniCluster.connect("deli.client.metrics.enable", "false");
        DeliTable rows = connection.getTable(table)) {
      rows.put(put("r", "v"));
      read(rows, "v");
      assertThat(ClientBeans.all()).isSubsetOf(before);
    }
  }

  @Test
  void aClosedConnectionLeavesNothing() throws Exception {
    Set<ObjectName> before = ClientBeans.all();
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable rows = connection.getTable(table)) {
      rows.put(put("r", "v"));
      assertThat(ClientBeans.all()).isNotEqualTo(before);
    }
    assertThat(ClientBeans.all()).isSubsetOf(before);
  }

  @Test
  void regionServersCountTheEntriesThatTheyWrite() throws Exception {
    TableName served = create(TestTable.byQ().withMaintenance(Maintenance.SERVER));
    try (Table plain = MiniCluster.connection().getTable(served)) {
      long written = Counters.value("servedEntriesAcknowledged");
      long refused = Counters.value("servedRequestsRefused");
      plain.put(put("a", "v"));
      plain.put(List.of(put("b", "v"), put("c", "v")));
      assertThat(Counters.value("servedEntriesAcknowledged")).isGreaterThanOrEqualTo(written + 3);
      Eventually.holds(() -> assertThat(Counters.value("servedHandlersWaiting")).isZero());

      assertThatThrownBy(() -> plain.put(put("d", "v").setPriority(HConstants.HIGH_QOS)))
          .as("of a priority with which nobody may wait")
          .isInstanceOf(IOException.class);
      assertThat(Counters.value("servedRequestsRefused")).isGreaterThan(refused);
    }
  }

  @Test
  void regionServersCountCollections() throws Exception {
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable rows = connection.getTable(table)) {
      long before = Counters.value("collections");
      rows.put(put("r", "old"));
      rows.put(put("r", "new"));
      MiniCluster.utility().flush(table);
      MiniCluster.utility().compact(table, true);
      Eventually.holds(() -> assertThat(Counters.value("collections")).isGreaterThan(before));
    }
  }

  @Test
  void thePageNamesEveryMetric() throws Exception {
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable rows = connection.getTable(table)) {
      read(rows, "v");
      ClientBeans beans = ClientBeans.thatRead(table);
      List<Metric> client = MetricsPage.below("Client");
      assertThat(names(client)).isEqualTo(beans.names(false));
      assertThat(names(client.stream().filter(m -> m.kind().contains("by index")).toList()))
          .isEqualTo(beans.names(true));
      assertThat(names(MetricsPage.below("Region servers"))).isEqualTo(serverNames());
    }
  }

  private static Set<String> names(List<Metric> metrics) {
    return metrics.stream().map(Metric::name).collect(Collectors.toSet());
  }

  private static Set<String> serverNames() {
    return MetricRegistries.global().getMetricRegistries().stream()
        .filter(r -> r.getMetricRegistryInfo().getMetricsName().contains("DeliRegionObserver"))
        .map(MetricRegistry::getMetrics)
        .flatMap(metrics -> metrics.keySet().stream())
        .collect(Collectors.toSet());
  }
}
