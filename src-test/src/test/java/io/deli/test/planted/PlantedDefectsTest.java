package io.deli.test.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.TimestampOracle;
import io.deli.config.DeliSettings;
import io.deli.config.GcMode;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.lab.torture.Audit;
import io.deli.lab.torture.Torture;
import io.deli.lab.torture.Torture.TortureReport;
import io.deli.lab.torture.TortureWorkload;
import io.deli.lab.torture.TortureWorkload.Contention;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.fault.Fault;
import io.deli.test.fault.Faults;
import io.deli.test.fault.FaultyConnection;
import io.deli.test.fault.RandomFaults;
import io.deli.test.fault.Way;
import io.deli.test.torture.Reports;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Each invariant broken on purpose, so that the checkers are seen to catch it. What is broken is
 * the test's; the rest is DELI as it ships.
 */
class PlantedDefectsTest {
  private static final String MISSED = " missed ";
  private static final String FALSE_HIT = "though it was not there";
  private static final Duration LENGTH = Duration.ofSeconds(3);

  /** Enough for others to read meanwhile. */
  private static final Duration DELAY = Duration.ofMillis(200);

  private static final long GRACE_MILLIS = 2_000;

  /** So many that a write which took {@link #DELAY} is still the newest of its row. */
  private static final int ROWS = 100;

  /** For what takes a reader at the right moment, on a machine with other things to do. */
  private static final int TRIES = 20;

  private static final byte[] ROW = Bytes.toBytes("row");

  private final Connection plain = MiniCluster.connection();
  private final long seed = Long.getLong("deli.seed", 20240301);

  /** How the clients connect that are broken. Number 0 is sound: it cleans up. */
  private interface Broken {
    DeliConnection connect(
        TableName table, int number, Configuration configuration, TimestampOracle oracle)
        throws IOException;
  }

  /** A run may happen to miss what it is to catch, on a busy machine more often than not. */
  private TortureReport caught(String violation, long graceMillis, Broken broken) throws Exception {
    TortureReport report;
    int tries = 0;
    do {
      report = torture(MiniCluster.uniqueTable("planted"), graceMillis, broken);
    } while (!hasCaught(report, violation) && ++tries < TRIES);
    assertThat(report.violations()).anyMatch(found -> found.contains(violation));
    return report;
  }

  private static boolean hasCaught(TortureReport report, String violation) {
    return report.violations().stream().anyMatch(found -> found.contains(violation));
  }

  private static TortureWorkload workload(String strategy, long graceMillis) {
    return new TortureWorkload(
        ROWS, 0, 1, graceMillis, strategy, Maintenance.CLIENT, Contention.NONE);
  }

  private TortureReport torture(TableName table, long graceMillis, Broken broken) throws Exception {
    Configuration configuration = MiniCluster.configuration();
    configuration.setLong(DeliSettings.REPAIR_GRACE.key(), graceMillis);
    TortureWorkload workload = workload(IndexDefinition.DEFAULT_STRATEGY, graceMillis);
    AtomicInteger clients = new AtomicInteger();
    Torture.Connector connector =
        oracle -> {
          int number = clients.getAndIncrement();
          return number == 0
              ? DeliConnection.wrap(ConnectionFactory.createConnection(configuration), oracle)
              : broken.connect(table, number, configuration, oracle);
        };
    return new Torture(plain, table, workload, connector, seed, 1_500)
        .run(List.of(), LENGTH, Duration.ofMillis(500), ProgressListener.NONE);
  }

  private static FaultyConnection suffering(
      Configuration configuration, TimestampOracle oracle, Faults faults) throws IOException {
    return FaultyConnection.open(configuration, oracle, DELAY).suffering(faults);
  }

  private Faults some(Fault fault) {
    return new RandomFaults(seed, 0.2, EnumSet.of(fault));
  }

  /** I2: no false hit. */
  @Test
  void aReaderThatComparesTimestampsAloneIsCaught() throws Exception {
    caught(
        FALSE_HIT,
        GRACE_MILLIS,
        (table, number, configuration, oracle) -> {
          Configuration credulous = new Configuration(configuration);
          credulous.set("hbase.client.async.connection.impl", CredulousReads.class.getName());
          credulous.set(CredulousReads.BASE, table.getNameAsString());
          return DeliConnection.wrap(ConnectionFactory.createConnection(credulous), oracle);
        });
  }

  /** I2: no missed hit, of an index without entries, and though the next query finds it. */
  @Test
  void aHitThatIsLostOnceWhenNobodyWritesIsCaught() throws Exception {
    TableName table = MiniCluster.uniqueTable("forgotten");
    Configuration configuration = MiniCluster.configuration();
    configuration.set("hbase.client.async.connection.impl", ForgottenHit.class.getName());
    configuration.set(ForgottenHit.BASE, table.getNameAsString());
    try (Connection forgetful = ConnectionFactory.createConnection(configuration)) {
      Torture torture =
          new Torture(
              forgetful,
              table,
              workload("none", 1),
              oracle ->
                  DeliConnection.wrap(
                      ConnectionFactory.createConnection(MiniCluster.configuration()), oracle),
              seed,
              0);
      assertThatThrownBy(
              () ->
                  Reports.assertClean(
                      torture, List.of(), Duration.ofSeconds(1), Duration.ofMillis(500), 0))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(" misses: row");
    }
  }

  /** I3: index before base. */
  @Test
  void anIndexPutThatIsNotMadeIsCaught() throws Exception {
    TortureReport report =
        caught(
            MISSED,
            GRACE_MILLIS,
            (table, number, configuration, oracle) ->
                suffering(configuration, oracle, some(Fault.PRETENDED).only(Way.INDEX)));
    assertThat(report.audit().missing()).isNotEmpty();
  }

  /** I3: index before base. */
  @Test
  void aBasePutAheadOfItsIndexPutIsCaught() throws Exception {
    caught(
        MISSED,
        GRACE_MILLIS,
        (table, number, configuration, oracle) ->
            suffering(configuration, oracle, some(Fault.PREMATURE).only(Way.INDEX)));
  }

  /** I6: repair waits until no writer can be in flight. */
  @Test
  void aRepairWithoutGraceIsCaught() throws Exception {
    caught(
        MISSED,
        1,
        (table, number, configuration, oracle) -> {
          boolean writesSlowly = number == 1;
          Configuration own = new Configuration(configuration);
          if (writesSlowly) {
            own.unset(DeliSettings.REPAIR_GRACE.key());
          }
          return suffering(
              own, oracle, writesSlowly ? Faults.on(Way.BASE, Fault.DELAYED) : Faults.NONE);
        });
  }

  /** I4: a delete names the entry's exact timestamp. */
  @Test
  void aDeleteOfMoreThanOneEntryIsCaught() throws Exception {
    assertThat(writtenThrice(IndexDefinition.DEFAULT_STRATEGY, GcMode.STREAMING))
        .isEqualTo(new Audit(1, List.of(), List.of()));
    assertThat(writtenThrice(ForgetfulStrategy.NAME, GcMode.STREAMING).missing()).hasSize(1);
  }

  /** I4: garbage is bounded. */
  @Test
  void garbageThatNobodyCollectsIsCaught() throws Exception {
    Audit audit = writtenThrice(IndexDefinition.DEFAULT_STRATEGY, GcMode.OFF);
    assertThat(audit.missing()).isEmpty();
    assertThat(audit.garbage()).hasSize(2);
  }

  /** A row is written A, B and A again, and collected. */
  private Audit writtenThrice(String strategy, GcMode mode) throws Exception {
    TableName own =
        TestTable.createAsOperator(
                plain,
                TestTable.describe("thrice", 1).setValue(DeliSettings.GC_MODE.key(), mode.name()),
                List.of(IndexDefinition.on("by_v", TortureWorkload.COLUMN).withStrategy(strategy)))
            .name();
    try (FaultyConnection connection = FaultyConnection.open();
        DeliTable table = connection.getTable(own)) {
      for (String value : List.of("A", "B", "A")) {
        table.put(
            new Put(ROW)
                .addColumn(
                    TortureWorkload.COLUMN.family(),
                    TortureWorkload.COLUMN.qualifier(),
                    Bytes.toBytes(value)));
      }
    }
    DeliAdmin.of(plain).collect(own, ProgressListener.NONE);
    return Audit.of(plain, own);
  }
}
