package io.deli.entry;

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
import net.jqwik.api.Example;
import org.apache.hadoop.hbase.util.Bytes;

class RowClockTest {
  private final AtomicLong millis = new AtomicLong(1_000);
  private final RowClock clock = new RowClock(() -> Instant.ofEpochMilli(millis.get()));

  @Example
  void isTheClockWhereItSuffices() {
    assertThat(clock.next(row(1))).isEqualTo(1_000);
    millis.set(1_005);
    assertThat(clock.next(row(1))).isEqualTo(1_005);
  }

  @Example
  void increasesWithinAMillisecondAndNeverGoesBack() {
    assertThat(clock.next(row(1))).isEqualTo(1_000);
    assertThat(clock.next(row(1))).isEqualTo(1_001);
    millis.set(5);
    assertThat(clock.next(row(1))).isEqualTo(1_002);
    millis.set(2_000);
    assertThat(clock.next(row(1))).isEqualTo(2_000);
  }

  @Example
  void manyRowsDoNotDriveEachOtherAheadOfTheClock() {
    long furthest = 0;
    for (int i = 0; i < 4_096; i++) {
      furthest = Math.max(furthest, clock.next(row(i)));
    }
    assertThat(furthest).isLessThan(1_000 + 12);
  }

  @Example
  void isStrictAmongThreads() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Set<Long>>> drawers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        drawers.add(
            () -> {
              Set<Long> drawn = new HashSet<>();
              for (int n = 0; n < 10_000; n++) {
                drawn.add(clock.next(row(7)));
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
