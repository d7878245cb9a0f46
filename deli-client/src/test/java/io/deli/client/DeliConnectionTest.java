package io.deli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;

class DeliConnectionTest {
  private final Configuration configuration = HBaseConfiguration.create();
  private final List<String> called = new ArrayList<>();
  private final Connection plain =
      (Connection)
          Proxy.newProxyInstance(
              Connection.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (self, method, arguments) -> {
                called.add(method.getName());
                return method.getName().equals("getConfiguration") ? configuration : null;
              });

  /** An application that has aborted a connection of HBase's need not close it. */
  @Test
  void abort_closesTheEnginesOfAllWrappers() throws Exception {
    configuration.set("hbase.client.registry.impl", "of.no.Cluster");
    DeliConnection inner = DeliConnection.wrap(plain);
    DeliConnection outer = DeliConnection.wrap(inner);
    outer.abort("ended by the test", null);
    assertThat(called).containsOnlyOnce("abort");
    for (DeliConnection connection : List.of(inner, outer)) {
      assertThatThrownBy(() -> connection.getAsyncTable(TableName.valueOf("t")))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessage("the connection is closed");
    }
  }
}
