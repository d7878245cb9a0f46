package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliTable;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.RegionRequests;
import io.deli.test.cluster.TestTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerWrapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What a write costs, as the region servers count it. */
class WriteCostTest extends ConfiguredClient {
  private static final int SERVERS = 2;

  /** Requests of any kind that the region servers have got for user tables, about. */
  private static long calls(ToLongFunction<MetricsRegionServerWrapper> kind) {
    return MiniCluster.utility().getHBaseCluster().getLiveRegionServerThreads().stream()
        .mapToLong(
            server ->
                kind.applyAsLong(server.getRegionServer().getMetrics().getRegionServerWrapper()))
        .sum();
  }

  private static Put put(String row, String value) {
    return new Put(Bytes.toBytes(row))
        .addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value))
        .addColumn(FAMILY, OTHER, Bytes.toBytes(value));
  }

  @Test
  void aPutIsOnePutForEachIndexedColumnAndOneForTheBaseAndReadsNothing() throws Exception {
    TestTable written =
        TestTable.create(
            "cost",
            1,
            List.of(TestTable.byQ(), IndexDefinition.on("by_o", Column.of(FAMILY, OTHER))));
    TableName byO = TableName.valueOf(written.name().getNameAsString() + ".by_o");
    try (DeliTable table = (DeliTable) connection.getTable(written.name())) {
      for (int i = 0; i < 10; i++) {
        table.put(put("row", "v" + i));
      }
      table.put(new Put(Bytes.toBytes("row")).addColumn(FAMILY, new byte[0], new byte[0]));
    }
    assertThat(RegionRequests.of(written.name())).isEqualTo(new RegionRequests(11, 0));
    assertThat(RegionRequests.of(written.index().table())).isEqualTo(new RegionRequests(10, 0));
    assertThat(RegionRequests.of(byO)).isEqualTo(new RegionRequests(10, 0));
  }

  @Test
  void aListCostsRequestsInProportionToServersNotRows() throws Exception {
    TestTable written =
        TestTable.create("costs", 1, Bytes.toBytes("3"), Bytes.toBytes("6"), Bytes.toBytes("8"));
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      puts.add(put(i % 10 + "-" + i, "v" + i));
    }
    try (DeliTable table = (DeliTable) connection.getTable(written.name())) {
      table.put(puts);
      long multis = calls(MetricsRegionServerWrapper::getRpcMultiRequestsCount);
      long mutates = calls(MetricsRegionServerWrapper::getRpcMutateRequestsCount);
      table.put(puts);
      // One to each server that holds base regions and one to that of the index; some to spare
      // for what the cluster itself does meanwhile.
      assertThat(calls(MetricsRegionServerWrapper::getRpcMultiRequestsCount) - multis)
          .isBetween(2L, SERVERS + 1L + 3);
      assertThat(calls(MetricsRegionServerWrapper::getRpcMutateRequestsCount) - mutates)
          .isLessThan(5);
    }
    assertThat(RegionRequests.of(written.name()).writes()).isEqualTo(2000);
    assertThat(RegionRequests.of(written.index().table())).isEqualTo(new RegionRequests(2000, 0));
  }
}
