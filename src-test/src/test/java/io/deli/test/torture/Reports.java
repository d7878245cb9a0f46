package io.deli.test.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.client.ProgressListener;
import io.deli.lab.fault.Fault;
import io.deli.lab.fault.TableFaults;
import io.deli.lab.judge.Ruling;
import io.deli.lab.torture.Torture;
import io.deli.lab.torture.Torture.TortureReport;
import io.deli.lab.torture.TortureWorkload;
import io.deli.test.cluster.MiniCluster;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** What every torture must come to, and the one that most tests run. */
public final class Reports {
  private Reports() {}

  /**
   * Clients with nothing broken, and every fault of tables, on the cluster in this JVM; as {@link
   * #assertClean}.
   */
  public static void assertCleanOnMiniCluster(
      TortureWorkload workload, Duration length, Duration interval, long seed, long least)
      throws Exception {
    Connection plain = MiniCluster.connection();
    TableName name = MiniCluster.uniqueTable("torture");
    Configuration configuration = MiniCluster.configuration();
    workload.configure(configuration);
    Torture torture =
        new Torture(
            plain,
            name,
            workload,
            oracle ->
                DeliConnection.wrap(ConnectionFactory.createConnection(configuration), oracle),
            seed,
            least);
    assertClean(torture, new TableFaults(plain, name).all(), length, interval, least);
  }

  /**
   * Runs a torture that has this least number and prints its report. Nothing is wrong, and enough
   * was done to say so.
   *
   * @param interval between two faults
   * @param least writes that succeed; and a third as many reads, which take more requests
   */
  public static TortureReport assertClean(
      Torture torture, List<Fault> faults, Duration length, Duration interval, long least)
      throws Exception {
    TortureReport report = torture.run(faults, length, interval, ProgressListener.NONE);
    report.lines().forEach(System.out::println);
    assertThat(report.violations()).isEmpty();
    assertThat(report.ruling()).isEqualTo(new Ruling(List.of(), List.of()));
    assertThat(report.audit().findings()).isEmpty();
    assertThat(report.faults())
        .containsKeys(faults.stream().map(Fault::name).toArray(String[]::new));
    assertThat(report.writes()).isGreaterThan(least);
    assertThat(report.reads()).isGreaterThan(least / 3);
    return report;
  }
}
