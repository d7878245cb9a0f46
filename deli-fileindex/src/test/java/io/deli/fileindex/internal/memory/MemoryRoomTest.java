package io.deli.fileindex.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryRoomTest {
  private static final int TAKES = 1_000_000;

  private final AtomicLong bytes = new AtomicLong();
  private final MemoryRoom room = new MemoryRoom(100, bytes::addAndGet);

  @Test
  void isTakenToTheLastByte() {
    assertThat(room.take(60)).isTrue();
    assertThat(room.take(41)).isFalse();
    assertThat(room.take(40)).isTrue();
    assertThat(room.take(1)).isFalse();
    assertThat(bytes).hasValue(100);
    room.giveBack(60);
    assertThat(room.take(60)).isTrue();
    assertThat(bytes).hasValue(100);
  }

  @Test
  void whoAsksForTooMuchKeepsNothingFromOthers() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Boolean> greedy =
        CompletableFuture.supplyAsync(
            () -> {
              boolean got = false;
              while (!done.get()) {
                got |= room.take(101);
                begun.countDown();
              }
              return got;
            });
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    int refused = 0;
    for (int i = 0; i < TAKES; i++) {
      if (room.take(50)) {
        room.giveBack(50);
      } else {
        refused++;
      }
    }
    done.set(true);
    assertThat(greedy.get(60, TimeUnit.SECONDS)).isFalse();
    assertThat(refused).isZero();
    assertThat(bytes).hasValue(0);
  }
}
