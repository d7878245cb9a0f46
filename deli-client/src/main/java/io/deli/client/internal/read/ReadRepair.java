package io.deli.client.internal.read;

import io.deli.client.ReadMetrics;
import io.deli.client.internal.ClientEnvironment;
import io.deli.client.internal.RegionClient;
import io.deli.client.internal.metrics.ClientMetrics;
import io.deli.config.DeliSettings;
import io.deli.entry.Entry;
import io.deli.service.RegionService;
import io.deli.strategy.Index;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hbase.thirdparty.com.google.common.base.Ticker;
import org.apache.hbase.thirdparty.com.google.common.cache.Cache;
import org.apache.hbase.thirdparty.com.google.common.cache.CacheBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports entries whose version a read did not see to the region that can tell why, in the
 * background.
 *
 * <p>The region deletes an entry that nothing in it can justify. A client cannot know: to it,
 * labels and permissions may hide what others see. Nor does it need to write to the index. What is
 * younger than the grace period is not reported, since its writer may be between its two Puts.
 *
 * <p>Errors are counted, never thrown.
 */
final class ReadRepair implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadRepair.class);

  private static final int AT_A_TIME = 4;
  private static final long REMEMBERED_BYTES = 8L << 20;
  private static final long QUEUED_BYTES = 8L << 20;

  /** Heap size of a suspect without its token and key. */
  private static final int OVERHEAD = 250;

  private final RegionClient regions;
  private final InstantSource clock;
  private final long grace;
  private final BlockingQueue<Suspect> queue;

  /**
   * Most stale entries merely await a compaction; without this, every read of a hot token would
   * have all of them checked again.
   */
  private final Cache<Suspect, Boolean> checked;

  private final AtomicLong queued = new AtomicLong();
  private final Semaphore slots = new Semaphore(AT_A_TIME);
  private final LongAdder suspects = new LongAdder();
  private final LongAdder reported = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private volatile boolean closed;

  ReadRepair(
      AsyncConnection connection, Configuration configuration, ClientEnvironment environment) {
    this.regions = new RegionClient(connection, environment);
    this.clock = environment.clock();
    this.grace = DeliSettings.REPAIR_GRACE.get(configuration);
    int capacity = DeliSettings.REPAIR_QUEUE.get(configuration);
    // A queue of none is a way to switch repair off.
    this.queue = new LinkedBlockingQueue<>(Math.max(1, capacity));
    this.checked =
        CacheBuilder.newBuilder()
            .concurrencyLevel(1)
            .maximumWeight(REMEMBERED_BYTES)
            .weigher((Suspect suspect, Boolean known) -> suspect.heapSize())
            .expireAfterWrite(grace, TimeUnit.MILLISECONDS)
            .ticker(
                new Ticker() {
                  @Override
                  public long read() {
                    return TimeUnit.MILLISECONDS.toNanos(clock.millis());
                  }
                })
            .build();
    this.closed = capacity == 0;
  }

  private record Suspect(TableName table, RegionService.Suspect entry) {
    int heapSize() {
      return OVERHEAD + entry.entry().token().length + entry.entry().key().length;
    }
  }

  /** Queues entries that a read found without their version. Never blocks or fails. */
  void suspect(Index index, List<Entry> entries) {
    suspects.add(entries.size());
    if (closed || entries.isEmpty()) {
      return;
    }
    long now = clock.millis();
    for (Entry entry : entries) {
      if (entry.isSettled(now, grace)) {
        offer(new Suspect(index.baseTable(), new RegionService.Suspect(index.name(), entry)));
      }
    }
    work();
  }

  private void offer(Suspect suspect) {
    if (checked.asMap().putIfAbsent(suspect, true) != null) {
      return;
    }
    long bytes = suspect.heapSize();
    if (queued.addAndGet(bytes) > QUEUED_BYTES || !queue.offer(suspect)) {
      queued.addAndGet(-bytes);
      checked.invalidate(suspect);
      dropped.increment();
    }
  }

  /**
   * Starts as many repairs as may run at a time. A loop, so that instant failures do not pile up
   * frames.
   */
  private void work() {
    while (!queue.isEmpty() && slots.tryAcquire()) {
      Suspect suspect = queue.poll();
      if (suspect == null) {
        slots.release();
        continue;
      }
      queued.addAndGet(-suspect.heapSize());
      CompletableFuture<Void> repair = repair(suspect);
      if (repair.isDone()) {
        finished(suspect, repair);
      } else {
        var unused =
            repair.whenComplete(
                (done, error) -> {
                  finished(suspect, repair);
                  work();
                });
      }
    }
  }

  private void finished(Suspect suspect, CompletableFuture<Void> repair) {
    slots.release();
    if (repair.isCompletedExceptionally()) {
      failed.increment();
      LOG.debug(
          "Could not request the repair of {} of {}: {}", suspect.entry(), suspect.table(), repair);
    }
  }

  private CompletableFuture<Void> repair(Suspect suspect) {
    return regions.repair(suspect.table(), suspect.entry()).thenRun(reported::increment);
  }

  /** Publishes the counters as gauges. */
  void publish(ClientMetrics metrics) {
    metrics.gauge("repairsReported", reported::sum);
    metrics.gauge("repairsFailed", failed::sum);
    metrics.gauge("repairsDropped", dropped::sum);
    metrics.gauge("repairsWaiting", queue::size);
  }

  ReadMetrics metrics() {
    return new ReadMetrics(suspects.sum(), reported.sum(), failed.sum(), dropped.sum());
  }

  @Override
  public void close() {
    closed = true;
    queue.clear();
  }
}
