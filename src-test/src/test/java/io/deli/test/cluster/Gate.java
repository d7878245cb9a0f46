package io.deli.test.cluster;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** An action of a {@link HookObserver} that holds all who come, until it is opened. */
public final class Gate implements HookObserver.Action<Object> {
  private static final int MOST_MINUTES = 10;

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  /** Waits until somebody is held; false if nobody comes. */
  public boolean arrives() throws InterruptedException {
    return arrived.await(MOST_MINUTES, TimeUnit.MINUTES);
  }

  public void open() {
    opened.countDown();
  }

  @Override
  public void run(HRegion region, Object inHand) throws Exception {
    arrived.countDown();
    if (!opened.await(MOST_MINUTES, TimeUnit.MINUTES)) {
      throw new DoNotRetryIOException("nobody opened the gate");
    }
  }
}
