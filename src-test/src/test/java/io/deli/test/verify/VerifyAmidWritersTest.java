package io.deli.test.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.Finding.Kind;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.lab.torture.Audit;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * While clients write as fast as they can, verification raises no false alarm.
 *
 * <p>The grace period is the default, which no request here comes near, so what the clients write
 * is too young to be judged. What is judged was written for the test at timestamps long ago, before
 * each verification, and is superseded, deleted and collected while it runs.
 */
class VerifyAmidWritersTest {
  private static final int WRITERS = 3;
  private static final int ROWS = 40;
  private static final int VALUES = 20;

  /** Rows that nobody writes meanwhile. */
  private static final int KEPT = 10;

  /** The indexes whose stale entries the compactions beside the verification may take. */
  private static final Set<String> COLLECTED = Set.of("deferred", "lazy");

  private final long seed = Long.getLong("deli.seed", 20260701);
  private final AtomicBoolean done = new AtomicBoolean();
  private final AtomicLong acknowledged = new AtomicLong();
  private long timestamp = 1_000;

  @Test
  void findsNothingWhereNothingIsWrong() throws Exception {
    ExecutorService clients = Executors.newCachedThreadPool();
    try (VerifiedTable table = VerifiedTable.of(VerifiedTable.STRATEGIES)) {
      for (int i = 0; i < KEPT; i++) {
        table.write("kept" + i, "new");
        putLongAgo(table, "kept" + i);
      }
      List<Future<Void>> working = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        SplittableRandom random = new SplittableRandom(seed + i);
        working.add(clients.submit(() -> write(table, random)));
      }
      working.add(clients.submit(() -> rewrite(table)));

      for (String strategy : VerifiedTable.STRATEGIES) {
        for (int i = 0; i < ROWS; i++) {
          putLongAgo(table, "row" + i);
        }
        VerifyReport report = table.verify(strategy, VerifyOptions.DEFAULT);
        assertThat(report.found().keySet())
            .as("%s, seed %d: %s", strategy, seed, report)
            .isSubsetOf(Kind.OBSOLETE);
        if (!COLLECTED.contains(strategy)) {
          assertThat(report.count(Kind.OBSOLETE)).as(strategy).isGreaterThanOrEqualTo(KEPT);
        }
      }
      done.set(true);
      for (Future<Void> each : working) {
        each.get();
      }
      assertThat(acknowledged).hasPositiveValue();
      assertThat(Audit.of(MiniCluster.connection(), table.name()).missing()).isEmpty();
    } finally {
      done.set(true);
      clients.shutdown();
    }
  }

  /** A version with entries, as a write left them long ago. */
  private void putLongAgo(VerifiedTable table, String row) throws IOException {
    timestamp++;
    String value = "v" + timestamp % VALUES;
    table.putEntries(row, value, timestamp);
    table.writePastDeli(row, value, timestamp);
  }

  private Void write(VerifiedTable table, SplittableRandom random) throws IOException {
    try (Table rows = table.connection().getTable(table.name())) {
      while (!done.get()) {
        String row = "row" + random.nextInt(ROWS);
        try {
          if (random.nextInt(10) == 0) {
            rows.delete(new Delete(Bytes.toBytes(row)));
          } else {
            table.write(row, "v" + random.nextInt(VALUES));
          }
          acknowledged.incrementAndGet();
        } catch (IOException e) {
          // What a failed write leaves behind is no false alarm, and too young for any.
          System.out.println("a write failed: " + e);
        }
      }
    }
    return null;
  }

  private Void rewrite(VerifiedTable table) throws Exception {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      while (!done.get()) {
        for (TableName each : List.of(table.name(), table.indexOf("lazy").table())) {
          admin.flush(each);
          MiniCluster.utility().compact(each, true);
        }
      }
    }
    return null;
  }
}
