package io.deli.test.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.config.DeliSettings;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.lab.judge.Ruling;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Two clients with four writers each over few rows and few values, and readers beside them, while
 * the base table is flushed and compacted: what nobody is just changing is found by its value, once
 * and under no other. In the end, the indexes hold exactly what the base table calls for.
 */
class ConcurrencyTest {
  private static final Column COLUMN = Column.parse("f:v");
  private static final ModelIndex BY_KEY =
      new ModelIndex(IndexDefinition.on("key", COLUMN), ModelIndex.Kind.WHOLE_VALUE);
  private static final ModelIndex BY_TIME =
      new ModelIndex(
          IndexDefinition.on("time", COLUMN)
              .withOrder(EntryOrder.BY_TIME)
              .withOption(IndexDefinition.BUCKETS, "4"),
          ModelIndex.Kind.WHOLE_VALUE);
  private static final int WRITERS = 4;
  private static final long SECONDS = 15;
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Crowd crowd = new Crowd(COLUMN);
  private final TableName name = MiniCluster.uniqueTable("crowd");
  private final List<Future<?>> running = new ArrayList<>();
  private volatile boolean over;

  private interface Step {
    void run(Random random) throws Exception;
  }

  private void repeat(ExecutorService pool, Step step) {
    Random random = new Random(running.size());
    running.add(
        pool.submit(
            () -> {
              try {
                while (!over) {
                  step.run(random);
                }
              } finally {
                over = true;
              }
              return null;
            }));
  }

  private void createTable() throws IOException {
    TestTable.createAsOperator(
        TestTable.describe(name, family -> family.setMaxVersions(2))
            .setValue(
                "hbase.hstore.defaultengine.compactionpolicy.class",
                PartialCompactions.class.getName())
            .setValue("deli.gc.timeout.ms", "120000")
            .setValue(DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE.toMillis())),
        List.of(BY_KEY.definition(), BY_TIME.definition()),
        Bytes.toBytes("row15"));
  }

  @Test
  void findsWhatIsNotJustChanging() throws Exception {
    createTable();
    ExecutorService pool = Executors.newCachedThreadPool();
    try (DeliConnection one = connect();
        DeliConnection other = connect();
        Table plain = MiniCluster.connection().getTable(name)) {
      for (DeliConnection connection : List.of(one, other)) {
        DeliTable table = connection.getTable(name);
        for (int i = 0; i < WRITERS; i++) {
          repeat(pool, random -> crowd.write(table, random));
        }
        repeat(pool, random -> crowd.check(plain, table, "key", random));
        repeat(pool, random -> crowd.check(plain, table, "time", random));
      }
      repeat(pool, this::disturb);
      pool.shutdown();
      awaitEnd(pool);
      System.out.printf("crowd: %d writes, %d checks%n", crowd.writes(), crowd.checks());
      assertThat(crowd.writes()).isGreaterThan(100);
      assertThat(crowd.checks()).isGreaterThan(100);
      assertThat(crowd.ruling()).isEqualTo(new Ruling(List.of(), List.of()));

      DeliAdmin.of(one).collect(name, ProgressListener.NONE);
      // Conditions that were slow to fail have left their entries to readers.
      new IndexCheck(List.of(BY_KEY, BY_TIME), name, plain, one.getTable(name)).repairAll(GRACE);
    } finally {
      pool.shutdownNow();
    }
  }

  private static DeliConnection connect() throws IOException {
    return MiniCluster.connect(DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE.toMillis()));
  }

  private void disturb(Random random) throws Exception {
    Upheavals upheavals = new Upheavals(random);
    switch (random.nextInt(4)) {
      case 0 -> upheavals.compactSome(name);
      case 1 -> upheavals.compactAll(name);
      default -> upheavals.flushOneRegion(name);
    }
  }

  private void awaitEnd(ExecutorService pool) throws Exception {
    // Ends early only if somebody failed.
    boolean early = pool.awaitTermination(SECONDS, TimeUnit.SECONDS);
    over = true;
    for (Future<?> each : running) {
      each.get(1, TimeUnit.MINUTES);
    }
    assertThat(early).isFalse();
  }
}
