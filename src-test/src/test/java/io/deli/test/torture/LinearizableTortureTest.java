package io.deli.test.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.client.TimestampOracle;
import io.deli.config.DeliSettings;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.lab.judge.Ruling;
import io.deli.lab.torture.Audit;
import io.deli.lab.torture.ContendedRows;
import io.deli.lab.torture.ContendedRows.Kind;
import io.deli.lab.torture.TortureWorkload;
import io.deli.strategy.Index;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.model.PartialCompactions;
import io.deli.test.model.Upheavals;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What users are promised whatever clocks say: the operations of each row take effect between their
 * call and their return, and a row that satisfies a query throughout is found by it, once. Judged
 * by real time alone.
 */
class LinearizableTortureTest {
  private static final String STRATEGY =
      System.getProperty("deli.strategy", IndexDefinition.DEFAULT_STRATEGY);
  private static final Duration ROUND = Duration.ofSeconds(1);
  private static final Duration LENGTH =
      Duration.ofSeconds(Integer.getInteger("deli.torture.seconds", 4));
  private static final Duration CHURN = Duration.ofSeconds(8);
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final long HALF_SKEW = 2_500;
  private static final long LEAST = 200;

  private final long seed = Long.getLong("deli.seed", 20240505);
  private final List<DeliConnection> connections = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (DeliConnection connection : connections) {
      connection.close();
    }
  }

  /** A clock that is wrong by so much, and hesitates for up to so long before it is used. */
  private static TimestampOracle clock(long aheadMillis, int hesitationMillis) {
    AtomicLong last = new AtomicLong();
    return row -> {
      long now = System.currentTimeMillis() + aheadMillis;
      long drawn = last.updateAndGet(before -> Math.max(before + 1, now));
      Threads.sleep(ThreadLocalRandom.current().nextInt(hesitationMillis + 1));
      return drawn;
    };
  }

  /** A table with an index on each of both columns. */
  private static TableName indexed(String stem, EntryOrder order) throws IOException {
    return TestTable.createAsOperator(
            TestTable.describe(stem, ContentionRun.VERSIONS),
            TortureWorkload.contended(STRATEGY, Maintenance.CLIENT, order, order))
        .name();
  }

  private DeliConnection connect(TimestampOracle clock, String... settings) throws IOException {
    Configuration configuration = MiniCluster.configuration(settings);
    configuration.setInt(DeliSettings.READ_PAGE.key(), 3);
    DeliConnection connection =
        DeliConnection.wrap(ConnectionFactory.createConnection(configuration), clock);
    connections.add(connection);
    return connection;
  }

  private ContentionRun run(TableName name, List<Kind> kinds, int rows, TimestampOracle... clocks)
      throws IOException {
    ContentionRun run = new ContentionRun(kinds, rows, seed);
    for (TimestampOracle clock : clocks) {
      DeliConnection connection = connect(clock);
      DeliTable table = connection.getTable(name);
      run.writing(table, 2).reading(connection, name, 2);
    }
    return run;
  }

  private void assertRight(List<Kind> kinds, int rows, TimestampOracle... clocks) throws Exception {
    assertRight(indexed("linearizable", EntryOrder.BY_KEY), kinds, rows, clocks);
  }

  private void assertRight(TableName name, List<Kind> kinds, int rows, TimestampOracle... clocks)
      throws Exception {
    ContentionRun run = run(name, kinds, rows, clocks);
    assertThat(run.search(ROUND, LENGTH, LEAST)).isEqualTo(new Ruling(List.of(), List.of()));
    assertThat(run.answered()).isGreaterThan(LEAST);
    assertThat(run.failed()).isZero();
  }

  @Test
  void rowsAreLinearizableThoughClocksAreSecondsApart() throws Exception {
    assertRight(List.of(Kind.ANYTHING), 3, clock(HALF_SKEW, 0), clock(0, 0), clock(-HALF_SKEW, 0));
  }

  @ParameterizedTest
  @CsvSource({"0, 3", "40, 0"})
  void rowsAreLinearizableThoughDrawnTimestampsAreUsedLateOrAreAhead(
      long aheadMillis, int hesitationMillis) throws Exception {
    assertRight(List.of(Kind.ANYTHING), 2, clock(aheadMillis, hesitationMillis), clock(0, 0));
  }

  @Test
  void deletesOfSingleVersionsAreLinearizable() throws Exception {
    assertRight(List.of(Kind.VERSIONS), 3, clock(40, 0), clock(0, 3));
  }

  /** One that is put again by its value, though its other side changes, or it moves in a range. */
  @ParameterizedTest
  @CsvSource({
    "SAME_VALUE, BY_KEY", "OTHER_SIDE, BY_KEY", "MOVING, BY_KEY",
    "SAME_VALUE, BY_TIME", "OTHER_SIDE, BY_TIME", "MOVING, BY_TIME"
  })
  void aRowIsFoundOnce(Kind kind, EntryOrder order) throws Exception {
    assertRight(indexed("found_once", order), List.of(kind), 4, clock(0, 0), clock(0, 0));
  }

  /** And in the end a collection and queries leave the entries of what is seen, and no others. */
  @ParameterizedTest
  @EnumSource
  void rowsAreLinearizableWhileCompactionsPurgeMarkers(EntryOrder order) throws Exception {
    TestTable table = compactedByTest(order);
    ContentionRun run =
        new ContentionRun(
            List.of(Kind.ANYTHING, Kind.SAME_VALUE, Kind.OTHER_SIDE, Kind.MOVING), 4, seed);
    for (int i = 0; i < 2; i++) {
      DeliConnection connection =
          connect(clock(0, 0), DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE.toMillis()));
      run.writing(connection.getTable(table.name()), 4).reading(connection, table.name(), 2);
    }
    Upheavals upheavals = new Upheavals(new Random(seed));
    run.round(
        () -> {
          long begun = System.nanoTime();
          for (int i = 0; run.goesOn(begun, CHURN, LEAST); i++) {
            // Of two regions, one has three files behind four flushes: some are compacted.
            switch (i % 9) {
              case 4, 7 -> upheavals.compactSome(table.name());
              case 8 -> upheavals.compactAll(table.name());
              default -> upheavals.flushOneRegion(table.name());
            }
          }
        });
    assertThat(run.ruling()).isEqualTo(new Ruling(List.of(), List.of()));
    assertThat(run.answered()).isGreaterThan(LEAST);
    assertThat(run.failed()).isZero();
    assertSettles(table);
  }

  /** A table whose delete markers are purged by the first compaction that may. */
  private static TestTable compactedByTest(EntryOrder ofA) throws IOException {
    EntryOrder ofB = ofA == EntryOrder.BY_KEY ? EntryOrder.BY_TIME : EntryOrder.BY_KEY;
    return TestTable.createAsOperator(
        TestTable.describe("compacted", 2)
            .setValue(
                "hbase.hstore.defaultengine.compactionpolicy.class",
                PartialCompactions.class.getName())
            .setValue("deli.gc.timeout.ms", "120000")
            .setValue(DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE.toMillis())),
        TortureWorkload.contended(IndexDefinition.DEFAULT_STRATEGY, Maintenance.CLIENT, ofA, ofB)
            .stream()
            .map(LinearizableTortureTest::saltedByTime)
            .toList(),
        Bytes.toBytes(ContendedRows.key(8)));
  }

  private static IndexDefinition saltedByTime(IndexDefinition definition) {
    return definition.order() == EntryOrder.BY_TIME
        ? definition.withOption(IndexDefinition.BUCKETS, "4")
        : definition;
  }

  private static void assertSettles(TestTable table) throws Exception {
    table.collect();
    assertThat(Audit.of(table.plain(), table.name()).missing()).isEmpty();
    for (Index index : table.indexes()) {
      TestTable one = new TestTable(table.plain(), table.name(), List.of(index));
      assertThat(one.read(index))
          .as(
              "but for what conditions that were slow to fail have left to readers; held are %s",
              one.justifiedByDead())
          .filteredOn(entry -> entry.writeId().isNone())
          .extracting(TestTable::text)
          .isSubsetOf(one.justified());
    }
    assertThat(
            Audit.settled(
                    MiniCluster.configuration(),
                    table.name(),
                    GRACE.toMillis(),
                    GRACE,
                    ProgressListener.NONE)
                .findings())
        .isEmpty();
  }

  @Test
  void anIndexThatIsCreatedAnewIsNotReadAsEmpty() throws Exception {
    TableName name = indexed("anew", EntryOrder.BY_KEY);
    ContentionRun run = run(name, List.of(Kind.SAME_VALUE, Kind.OTHER_SIDE), 4, clock(0, 0));
    run.round(ROUND);
    DeliAdmin admin = DeliAdmin.of(MiniCluster.connection());
    run.round(
        () -> {
          admin.dropIndex(name, ContendedRows.BY_A);
          admin.createIndex(
              name,
              IndexDefinition.on(ContendedRows.BY_A, ContendedRows.A).withStrategy(STRATEGY),
              CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.BUILD));
          long before = run.answered();
          Thread.sleep(LENGTH.toMillis());
          MiniCluster.utility().waitFor(60_000, () -> run.answered() > before);
        });
    assertThat(run.ruling()).isEqualTo(new Ruling(List.of(), List.of()));
  }
}
