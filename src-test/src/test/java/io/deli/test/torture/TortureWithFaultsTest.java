package io.deli.test.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.TimestampOracle;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.lab.fault.TableFaults;
import io.deli.lab.torture.Torture;
import io.deli.lab.torture.Torture.TortureReport;
import io.deli.lab.torture.TortureWorkload;
import io.deli.lab.torture.TortureWorkload.Contention;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.fault.Fault;
import io.deli.test.fault.FaultyConnection;
import io.deli.test.fault.RandomFaults;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;

/**
 * Clients that meet on a few rows while some of their requests are lost, late, repeated or refused,
 * and regions flush, compact, split, merge and move.
 */
class TortureWithFaultsTest {
  /** Of each client's requests. */
  private static final double RATE = 0.04;

  /** Below half the grace, as HBase's client bounds a write. */
  private static final Duration DELAY = Duration.ofMillis(400);

  private static final TortureWorkload WORKLOAD =
      TortureWorkload.brief(
          Duration.ofSeconds(5),
          IndexDefinition.DEFAULT_STRATEGY,
          Maintenance.CLIENT,
          new Contention(2, 1, true));

  private final long seed = Long.getLong("deli.seed", 20240302);
  private final Random seeds = new Random(seed);
  private final Configuration configuration = MiniCluster.configuration();

  @Test
  void everyAnswerIsExplainedThoughRequestsFail() throws Exception {
    Connection plain = MiniCluster.connection();
    TableName name = MiniCluster.uniqueTable("torture_with_faults");
    WORKLOAD.configure(configuration);
    TortureReport report =
        Reports.assertClean(
            new Torture(plain, name, WORKLOAD, this::connect, seed, 500),
            new TableFaults(plain, name).all(),
            Duration.ofSeconds(Integer.getInteger("deli.torture.seconds", 15)),
            Duration.ofSeconds(1),
            500);
    assertThat(report.failedWrites()).isGreaterThan(20);
  }

  private FaultyConnection connect(TimestampOracle oracle) throws IOException {
    return FaultyConnection.open(configuration, oracle, DELAY)
        .suffering(new RandomFaults(seeds.nextLong(), RATE, Fault.honest()));
  }
}
