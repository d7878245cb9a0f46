package io.deli.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.internal.Unconnected;
import io.deli.client.internal.connect.Engine;
import io.deli.client.internal.connect.Wiring;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.junit.jupiter.api.Test;

class HBaseTableClientsTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private final Configuration configuration = HBaseConfiguration.create();

  /** A table of an engine as blocking connections have it, or not. */
  private AsyncTable<?> table(
      Consumer<AsyncTableBuilder<?>> defaults, Consumer<AsyncTableBuilder<?>> setting)
      throws Exception {
    List<TableClients> made = new ArrayList<>();
    Wiring wiring =
        new Wiring(
            new WriteContext(row -> 1, InstantSource.system(), System::nanoTime),
            clients -> {
              made.add(clients);
              return clients;
            });
    Engine engine = Engine.on(Unconnected.open(configuration), configuration, wiring, defaults);
    try {
      IndexedTableWriter unused = engine.writer(TABLE, List.of(setting));
      return ((AsyncTableClient) made.get(1).plain(TABLE)).table();
    } finally {
      engine.close();
    }
  }

  /** HBase's asynchronous table sends batches and conditional writes by its general time-out. */
  @Test
  void rpcTimeoutOfBlockingConnections_isThatOfWrites_unlessSet() throws Exception {
    configuration.setInt("hbase.rpc.timeout", 60_000);
    configuration.setInt("hbase.rpc.read.timeout", 8_000);
    configuration.setInt("hbase.rpc.write.timeout", 7_000);
    AsyncTable<?> blocking = table(HBaseTableClients::boundAsWrites, builder -> {});
    assertThat(blocking.getRpcTimeout(TimeUnit.MILLISECONDS)).isEqualTo(7_000);
    assertThat(blocking.getWriteRpcTimeout(TimeUnit.MILLISECONDS)).isEqualTo(7_000);
    assertThat(blocking.getReadRpcTimeout(TimeUnit.MILLISECONDS)).isEqualTo(8_000);
    AsyncTable<?> set =
        table(
            HBaseTableClients::boundAsWrites,
            builder -> builder.setRpcTimeout(9, TimeUnit.SECONDS));
    assertThat(set.getRpcTimeout(TimeUnit.MILLISECONDS)).isEqualTo(9_000);
    AsyncTable<?> asynchronous = table(builder -> {}, builder -> {});
    assertThat(asynchronous.getRpcTimeout(TimeUnit.MILLISECONDS)).isEqualTo(60_000);
    assertThat(asynchronous.getWriteRpcTimeout(TimeUnit.MILLISECONDS)).isEqualTo(7_000);
  }
}
