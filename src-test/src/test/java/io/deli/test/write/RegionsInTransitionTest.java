package io.deli.test.write;

import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.test.cluster.Background;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

/** Index regions that are nowhere while clients write. */
class RegionsInTransitionTest {
  @Test
  void anIndexThatIsNowhereMakesWritesWaitAndThenFailCleanly() throws Exception {
    TestTable written = TestTable.create("nowhere", 1);
    TableName index = written.index().table();
    try (Connection connection = MiniCluster.connectConfigured();
        Admin admin = MiniCluster.connection().getAdmin()) {
      Table patient = connection.getTable(written.name());
      patient.put(put("before", "v0"));
      byte[] region = admin.getRegions(index).get(0).getEncodedNameAsBytes();
      admin.unassign(region);
      try (Table hasty =
          connection.getTableBuilder(written.name(), null).setOperationTimeout(1_500).build()) {
        assertThatThrownBy(() -> hasty.put(put("failed", "v1"))).isInstanceOf(IOException.class);
      }
      CompletableFuture<Void> waiting = Background.run(() -> patient.put(put("waited", "v2")));
      assertThat(written.justifiedByDead()).hasSize(1);
      admin.assign(region);
      waiting.get(60, TimeUnit.SECONDS);
    }
    assertThat(written.justifiedByDead()).hasSize(2);
    assertThat(written.entries()).containsAll(written.justifiedByDead());
  }
}
