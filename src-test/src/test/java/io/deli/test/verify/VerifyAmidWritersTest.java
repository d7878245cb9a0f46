package io.deli.test.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.Finding.Kind;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.test.cluster.MiniCluster;
import io.deli.tools.torture.Audit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** While clients write as fast as they can, verification raises no false alarm. */
class VerifyAmidWritersTest {
  /** So short that what verification meets is older, and longer than any request takes here. */
  private static final Duration GRACE = Duration.ofSeconds(15);

  private static final Duration BEYOND = Duration.ofSeconds(8);
  private static final int WRITERS = 3;
  private static final int ROWS = 300;
  private static final int VALUES = 20;

  private final long seed = Long.getLong("deli.seed", 20260701);
  private final AtomicBoolean done = new AtomicBoolean();

  @Test
  void findsNothingWhereNothingIsWrong() throws Exception {
    Configuration configuration = MiniCluster.configuration();
    configuration.setLong("deli.repair.grace.ms", GRACE.toMillis());
    ExecutorService clients = Executors.newCachedThreadPool();
    try (VerifiedTable table = VerifiedTable.of(VerifiedTable.STRATEGIES, configuration)) {
      List<Future<Void>> working = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        SplittableRandom random = new SplittableRandom(seed + i);
        working.add(clients.submit(() -> write(table, random)));
      }
      working.add(clients.submit(() -> rewrite(table)));

      long end = System.nanoTime() + GRACE.plus(BEYOND).toNanos();
      int round = 0;
      long obsolete = 0;
      while (System.nanoTime() < end || round < VerifiedTable.STRATEGIES.size()) {
        String strategy = VerifiedTable.STRATEGIES.get(round++ % VerifiedTable.STRATEGIES.size());
        VerifyReport report = table.verify(strategy, VerifyOptions.DEFAULT);
        assertThat(report.isClean()).as("%s, seed %d: %s", strategy, seed, report).isTrue();
        obsolete += report.count(Kind.OBSOLETE);
      }
      done.set(true);
      for (Future<Void> each : working) {
        each.get();
      }
      System.out.printf("%d verifications, %d obsolete entries%n", round, obsolete);
      assertThat(obsolete).isPositive();
      assertThat(Audit.of(MiniCluster.connection(), table.name()).missing()).isEmpty();
    } finally {
      done.set(true);
      clients.shutdown();
    }
  }

  private Void write(VerifiedTable table, SplittableRandom random) throws IOException {
    try (Table rows = table.connection().getTable(table.name())) {
      while (!done.get()) {
        String row = "row" + random.nextInt(ROWS);
        if (random.nextInt(10) == 0) {
          rows.delete(new Delete(Bytes.toBytes(row)));
        } else {
          table.put(row, "v" + random.nextInt(VALUES));
        }
      }
    }
    return null;
  }

  private Void rewrite(VerifiedTable table) throws Exception {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      while (!done.get()) {
        for (TableName each : List.of(table.name(), table.index("lazy").table())) {
          admin.flush(each);
          MiniCluster.utility().compact(each, true);
        }
      }
    }
    return null;
  }
}
