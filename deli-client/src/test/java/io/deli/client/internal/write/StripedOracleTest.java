package io.deli.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class StripedOracleTest {
  private final AtomicLong millis = new AtomicLong(1_000);
  private final StripedOracle oracle = new StripedOracle(() -> Instant.ofEpochMilli(millis.get()));

  @Test
  void isTheClockWhereItSuffices() {
    assertThat(oracle.next(row(1))).isEqualTo(1_000);
    millis.set(1_005);
    assertThat(oracle.next(row(1))).isEqualTo(1_005);
  }

  @Test
  void increasesWithinAMillisecondAndNeverGoesBack() {
    assertThat(oracle.next(row(1))).isEqualTo(1_000);
    assertThat(oracle.next(row(1))).isEqualTo(1_001);
    millis.set(5);
    assertThat(oracle.next(row(1))).isEqualTo(1_002);
    millis.set(2_000);
    assertThat(oracle.next(row(1))).isEqualTo(2_000);
  }

  @Test
  void manyRowsDoNotDriveEachOtherAheadOfTheClock() {
    long furthest = 0;
    for (int i = 0; i < 4_096; i++) {
      furthest = Math.max(furthest, oracle.next(row(i)));
    }
    assertThat(furthest).isLessThan(1_000 + 12);
  }

  @Test
  void isStrictAmongThreads() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Set<Long>>> drawers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        drawers.add(
            () -> {
              Set<Long> drawn = new HashSet<>();
              for (int n = 0; n < 10_000; n++) {
                drawn.add(oracle.next(row(7)));
              }
              return drawn;
            });
      }
      Set<Long> all = new HashSet<>();
      for (Future<Set<Long>> drawn : pool.invokeAll(drawers)) {
        all.addAll(drawn.get());
      }
      assertThat(all).hasSize(40_000);
    } finally {
      pool.shutdownNow();
    }
  }

  private static byte[] row(int i) {
    return Bytes.toBytes("row" + i);
  }
}
