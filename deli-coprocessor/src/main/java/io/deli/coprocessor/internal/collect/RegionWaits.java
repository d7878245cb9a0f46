package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.coprocessor.internal.send.GcMetrics.Count;
import io.deli.coprocessor.spi.Caller;
import java.io.InterruptedIOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The waits of a region's compactions, which all end when the region closes. Thread-safe. */
public class RegionWaits {
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Set<CountDownLatch> waits = ConcurrentHashMap.newKeySet();
  private volatile boolean abandoned;

  /** Ends all waits, those to come included. */
  public final void abandon() {
    abandoned = true;
    waits.forEach(CountDownLatch::countDown);
  }

  public final boolean isAbandoned() {
    return abandoned;
  }

  /** Elapsed time from any origin. */
  public long nanoTime() {
    return System.nanoTime();
  }

  /**
   * Waits as {@link #await} does, but not for long, so that a compaction comes to check whether
   * HBase wants it to stop. Counts the time.
   *
   * @return for how many nanoseconds
   */
  final long glance(CompletableFuture<?> future, long nanos, GcMetrics metrics)
      throws InterruptedIOException {
    long begin = nanoTime();
    await(future, Math.min(nanos, SLICE_NANOS));
    long waited = nanoTime() - begin;
    metrics.add(Count.WAITED_MILLIS, TimeUnit.NANOSECONDS.toMillis(waited));
    return waited;
  }

  /**
   * Waits until the future completes, but not beyond the time given nor the region's close.
   *
   * @return whether the future is complete
   * @throws InterruptedIOException if the thread is interrupted; its flag is set again
   */
  public boolean await(CompletableFuture<?> future, long nanos) throws InterruptedIOException {
    CountDownLatch wait = new CountDownLatch(1);
    CompletableFuture<?> unused = future.whenComplete((result, failure) -> wait.countDown());
    waits.add(wait);
    try {
      if (!abandoned && !wait.await(nanos, TimeUnit.NANOSECONDS)) {
        return false;
      }
      return future.isDone();
    } catch (InterruptedException e) {
      throw Caller.interrupted("interrupted while index deletes were under way", e);
    } finally {
      waits.remove(wait);
    }
  }
}
