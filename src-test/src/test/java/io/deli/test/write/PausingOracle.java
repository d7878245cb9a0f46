package io.deli.test.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.TimestampOracle;
import io.deli.test.cluster.Background;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Draws, and pauses before it tells, until it is released for good. */
final class PausingOracle implements TimestampOracle {
  private final TimestampOracle clock;
  private final CountDownLatch drawn = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  PausingOracle(TimestampOracle clock) {
    this.clock = clock;
  }

  @Override
  public long next(byte[] row) {
    long timestamp = clock.next(row);
    drawn.countDown();
    await(released);
    return timestamp;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Does something while the first timestamp of a slow write is drawn and not yet used. */
  void overtake(Background.Task slow, Background.Task meanwhile) throws Exception {
    CompletableFuture<Void> waiting = Background.run(slow);
    await(drawn);
    Thread.sleep(2);
    meanwhile.run();
    Thread.sleep(2);
    released.countDown();
    waiting.get(1, TimeUnit.MINUTES);
  }
}
