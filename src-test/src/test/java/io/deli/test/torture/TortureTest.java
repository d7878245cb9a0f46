package io.deli.test.torture;

import io.deli.client.DeliConnection;
import io.deli.client.ProgressListener;
import io.deli.test.cluster.MiniCluster;
import io.deli.tools.torture.TableTroubles;
import io.deli.tools.torture.Torture;
import io.deli.tools.torture.TortureReport;
import io.deli.tools.torture.Workload;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Test;

/** Clients that meet on a few rows while regions flush, compact, split, merge and move. */
class TortureTest {
  private final long seed = Long.getLong("deli.seed", 20240229);

  @Test
  void everyAnswerIsExplained() throws Exception {
    Connection plain = MiniCluster.connection();
    TableName name = MiniCluster.uniqueTable("torture");
    Configuration configuration = MiniCluster.configuration();
    configuration.setLong("deli.repair.grace.ms", Workload.SHORT.graceMillis());
    TortureReport report =
        new Torture(
                plain,
                name,
                Workload.SHORT,
                oracle ->
                    DeliConnection.wrap(ConnectionFactory.createConnection(configuration), oracle),
                seed)
            .run(
                new TableTroubles(plain, name, Workload.SHORT).all(),
                Duration.ofSeconds(30),
                Duration.ofSeconds(1),
                ProgressListener.NONE);
    Reports.assertClean(report, 1_000);
  }
}
