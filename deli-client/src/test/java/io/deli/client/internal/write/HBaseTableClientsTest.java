package io.deli.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.client.internal.Unconnected;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.junit.jupiter.api.Test;

class HBaseTableClientsTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private final Configuration configuration = HBaseConfiguration.create();

  private static AsyncTable<?> table(TableClients clients) {
    return ((AsyncTableClient) clients.plain(TABLE)).table();
  }

  /** HBase's table sends batches and conditional writes by its general time-out. */
  @Test
  void rpcTimeout_isThatOfWrites_unlessSet() throws Exception {
    configuration.setInt("hbase.rpc.timeout", 60_000);
    configuration.setInt("hbase.rpc.read.timeout", 8_000);
    configuration.setInt("hbase.rpc.write.timeout", 7_000);
    try (AsyncConnection connection = Unconnected.open(configuration)) {
      AsyncTable<?> table =
          table(
              new HBaseTableClients(
                  connection, configuration, builder -> {}, true, Scheduler.SYSTEM));
      assertThat(table.getRpcTimeout(TimeUnit.MILLISECONDS)).isEqualTo(7_000);
      assertThat(table.getWriteRpcTimeout(TimeUnit.MILLISECONDS)).isEqualTo(7_000);
      assertThat(table.getReadRpcTimeout(TimeUnit.MILLISECONDS)).isEqualTo(8_000);
      AsyncTable<?> set =
          table(
              new HBaseTableClients(
                  connection,
                  configuration,
                  builder -> builder.setRpcTimeout(9, TimeUnit.SECONDS),
                  true,
                  Scheduler.SYSTEM));
      assertThat(set.getRpcTimeout(TimeUnit.MILLISECONDS)).isEqualTo(9_000);
    }
  }
}
