package io.deli.coprocessor.internal.compactiontrigger;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.collect.Collector;
import io.deli.coprocessor.internal.send.GcMetrics.Count;
import io.deli.coprocessor.internal.send.ServerResources;
import io.deli.coprocessor.spi.Contained;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests a compaction of a region's files when their share of garbage is too large. Thread-safe.
 *
 * <p>It estimates after each flush, since garbage does not grow otherwise. If an estimate is not
 * due (a compaction or a staged run is under way; one was requested not long ago; it is not one of
 * HBase's off-peak hours) it is made as soon as it is. So there is one request at a time, since
 * HBase reports a compaction from the moment of its request. Flushes and handlers never wait.
 */
public final class CompactionTrigger {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionTrigger.class);

  private static final long AGAIN_SECONDS = 10;

  /** One cell in so many must be new for another estimate. */
  private static final int NEW_PART = 20;

  private final Region region;
  private final Supplier<List<WatchedStore>> watched;
  private final Collector collector;
  private final ServerResources server;

  /** Flushes without an estimate; while there are any, one is under way or scheduled. */
  private final AtomicInteger flushes = new AtomicInteger();

  private final Map<String, Long> seen = new ConcurrentHashMap<>();
  private final Map<String, Long> asked = new ConcurrentHashMap<>();

  /**
   * @param watched the stores in question
   * @param collector of the region
   */
  public CompactionTrigger(
      Region region,
      Supplier<List<WatchedStore>> watched,
      Collector collector,
      ServerResources server) {
    this.region = region;
    this.watched = watched;
    this.collector = collector;
    this.server = server;
  }

  /** To be called after a flush; returns at once. */
  public void flushed() {
    if (region.getTableDescriptor().isCompactionEnabled()
        && !watchedStores().isEmpty()
        && flushes.getAndIncrement() == 0) {
      estimate(server.background());
    }
  }

  /** None if settings cannot be read: a server would abort by what a hook throws. */
  private List<WatchedStore> watchedStores() {
    return Contained.orElse(
        watched::get,
        e -> {
          LOG.warn("{}: its garbage is not looked at", region, e);
          return List.of();
        });
  }

  /** To be called after a compaction of all files of a store. */
  public void collected(Store store) {
    server.metrics().forgetGarbage(WatchedStore.name(store));
  }

  /** To be called when the region closes. */
  public void close() {
    region.getStores().forEach(this::collected);
  }

  private void estimate(Executor executor) {
    try {
      executor.execute(this::estimate);
    } catch (RejectedExecutionException e) {
      LOG.debug("{}: its server has no region with indexes any more", region, e);
    }
  }

  private void estimate() {
    if (collector.isAbandoned()) {
      return;
    }
    int followed = flushes.get();
    boolean done = true;
    try {
      for (WatchedStore store : watchedStores()) {
        done &= isDone(store);
      }
    } finally {
      // After an error, too, that ends this thread: the server may go on.
      if (!done) {
        estimate(
            CompletableFuture.delayedExecutor(
                AGAIN_SECONDS, TimeUnit.SECONDS, server.background()));
      } else if (flushes.addAndGet(-followed) > 0) {
        estimate(server.background());
      }
    }
  }

  /** Estimates a store's garbage; returns false if that was not due. */
  private boolean isDone(WatchedStore store) {
    List<HStoreFile> files = store.files();
    try {
      if (!isTime(store)) {
        return false;
      }
      if (hasGrown(store, files)) {
        double ratio = new GarbageEstimator(store, files, collector).sample().ratio();
        // Another compaction may have begun, or ended, and left nothing to collect.
        if (!isTime(store) || !store.files().containsAll(files)) {
          return false;
        }
        follow(store, files, ratio);
      }
    } catch (Throwable e) {
      Throwable problem = Contained.containable(e);
      if (!store.files().containsAll(files)) {
        return false;
      }
      if (!collector.isAbandoned()) {
        LOG.warn("{}: its garbage is not known; the next flush looks again", store.name(), problem);
      }
    }
    return true;
  }

  private void follow(WatchedStore store, List<HStoreFile> files, double ratio) throws IOException {
    server.metrics().garbage(store.name(), ratio);
    files.forEach(file -> seen.merge(store.name(), file.getMaxSequenceId(), Math::max));
    if (ratio > store.settings().ratio()) {
      ask(store, ratio);
    }
    server.metrics().add(Count.GARBAGE_ESTIMATES, 1);
  }

  private boolean isTime(WatchedStore store) throws IOException {
    long last =
        Math.max(WatchedStore.compactedWhole(store.store()), asked.getOrDefault(store.name(), 0L));
    return store.settings().isTheHour()
        && region.getCompactionState() == CompactionState.NONE
        // Halves of the files of a region that was split are compacted without being asked.
        && !store.store().hasReferences()
        && EnvironmentEdgeManager.currentTime() - last >= store.settings().intervalMillis();
  }

  private boolean hasGrown(WatchedStore store, List<HStoreFile> files) throws IOException {
    long upTo = seen.getOrDefault(store.name(), Long.MIN_VALUE);
    long fresh =
        WatchedStore.cells(files.stream().filter(file -> file.getMaxSequenceId() > upTo).toList());
    return fresh > 0 && fresh >= WatchedStore.cells(files) / NEW_PART;
  }

  private void ask(WatchedStore store, double ratio) throws IOException {
    String why =
        String.format(
            Locale.ROOT,
            "%.2f of the versions of indexed columns are garbage, %s = %s",
            ratio,
            DeliSettings.GC_GARBAGE.key(),
            store.settings().ratio());
    LOG.info(
        "region {}, family {}: {}; asking for a compaction of all files",
        region.getRegionInfo().getRegionNameAsString(),
        store.store().getColumnFamilyName(),
        why);
    asked.put(store.name(), EnvironmentEdgeManager.currentTime());
    server.metrics().add(Count.COLLECTIONS_REQUESTED, 1);
    region.requestCompaction(
        store.store().getColumnFamilyDescriptor().getName(),
        why,
        // A request that waits holds all files, which keeps smaller compactions from them.
        Store.NO_PRIORITY,
        true,
        CompactionLifeCycleTracker.DUMMY);
  }
}
