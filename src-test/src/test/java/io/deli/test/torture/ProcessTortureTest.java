package io.deli.test.torture;

import io.deli.client.DeliConnection;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.lab.fault.ProcessFaults;
import io.deli.lab.torture.Torture;
import io.deli.lab.torture.TortureWorkload;
import io.deli.lab.torture.TortureWorkload.Contention;
import io.deli.test.cluster.OperatedCluster;
import io.deli.test.cluster.ProcessClusterExtension;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Clients that meet on a few rows while processes of the cluster die, stand still and come back.
 * Faults of tables are {@link TortureWithFaultsTest}'s, and both together the campaign's.
 */
@ExtendWith(ProcessClusterExtension.class)
class ProcessTortureTest {
  /** So short that some writes fail, for a dead server is missed for longer than half of it. */
  private static final long GRACE_MILLIS = 20_000;

  private static final int PAUSE_MILLIS = 150;

  /** Clients that leave the processors to the servers, which have to recover meanwhile. */
  private static final TortureWorkload WORKLOAD =
      new TortureWorkload(
          16,
          5_000,
          PAUSE_MILLIS,
          GRACE_MILLIS,
          IndexDefinition.DEFAULT_STRATEGY,
          Maintenance.CLIENT,
          new Contention(2, PAUSE_MILLIS, true));

  private final long seed = Long.getLong("deli.seed", 20240229);

  @Test
  void everyAnswerIsExplainedThoughProcessesDie(OperatedCluster cluster) throws Exception {
    TableName name = cluster.uniqueTable("torture");
    Configuration configuration = cluster.configuration();
    WORKLOAD.configure(configuration);
    Torture torture =
        new Torture(
            cluster.connection(),
            name,
            WORKLOAD,
            oracle ->
                DeliConnection.wrap(ConnectionFactory.createConnection(configuration), oracle),
            seed,
            1_000);
    try (ProcessFaults processes = new ProcessFaults(cluster.processes())) {
      Reports.assertClean(
          torture,
          processes.all(),
          Duration.ofSeconds(Integer.getInteger("deli.torture.seconds", 40)),
          Duration.ofSeconds(2),
          1_000);
    }
  }
}
