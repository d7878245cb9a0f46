package io.deli.client.internal.write;

import io.deli.client.internal.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Tracks entry deletions that no caller waits for. Closing the connection waits for them, since a
 * short program would leave them all to read repair. Thread-safe.
 */
public final class BackgroundDeletes {
  private static final long MOST_SECONDS = 5;

  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentMap<Long, CompletableFuture<?>> underWay = new ConcurrentHashMap<>();

  /** Tracks a deletion until it has ended. */
  public void add(CompletableFuture<?> withdrawal) {
    long number = numbers.incrementAndGet();
    underWay.put(number, withdrawal);
    FutureUtils.addListener(withdrawal, (done, error) -> underWay.remove(number));
  }

  /** Waits for the deletions in flight, for some seconds at most. */
  public void await() {
    try {
      Futures.all(underWay.values()).get(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // Repair finds what stays.
    }
  }
}
