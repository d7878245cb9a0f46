package io.deli.test.servermaintained;

import static io.deli.test.servermaintained.ServedTable.BY_Q;
import static io.deli.test.servermaintained.ServedTable.COLUMN;
import static io.deli.test.servermaintained.ServedTable.FAMILY;
import static io.deli.test.servermaintained.ServedTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.IndexDefinition;
import io.deli.service.DrawnTimestamp;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What becomes of a batch's mutations, one by one, and of the server that has them. */
class ServedBatchesTest {
  private final Connection plain = MiniCluster.connection();

  private ServedTable create(IndexDefinition definition) throws IOException {
    return ServedTable.create(plain, MiniCluster.uniqueTable("batches"), definition, 1);
  }

  private static void set(ServedTable served, Map<String, String> settings) throws IOException {
    try (Admin admin = served.plain().getAdmin()) {
      TableDescriptorBuilder table =
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(served.name()));
      settings.forEach(table::setValue);
      admin.modifyTable(table.build());
    }
  }

  private static byte[] row(String row) {
    return Bytes.toBytes(row);
  }

  /** As many as HBase lets prepare at a time are under way if none is forgotten. */
  @Test
  void whatIsRefusedIsNotUnderWayAnyMore() throws Exception {
    ServedTable served = create(BY_Q);
    set(
        served,
        Map.of(
            "hbase.region.store.parallel.put.limit", "1",
            "hbase.region.store.parallel.prepare.put.multiplier", "2",
            "hbase.region.store.parallel.put.limit.min.column.count", "0"));
    Configuration impatient = MiniCluster.configuration();
    impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    try (Connection connection = ConnectionFactory.createConnection(impatient);
        Table table = connection.getTable(served.name())) {
      for (int i = 0; i < 5; i++) {
        Put stale = new Put(row("r")).addColumn(FAMILY, COLUMN, 1, row("stale"));
        new DrawnTimestamp(1, false, false).setOn(stale);
        assertThatThrownBy(() -> table.put(stale))
            .hasStackTraceContaining("FailedSanityCheckException")
            .hasStackTraceContaining("was not admitted");
      }
      table.put(put("r", "v"));
    }
    assertThat(served.assertRight(1)).hasSize(1);
  }
}
