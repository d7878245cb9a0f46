package io.deli.coprocessor.internal.send;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/**
 * Metrics in HBase's registry for the observer, of which there is one in a JVM. The last region to
 * leave removes them. Thread-safe.
 */
public final class GcMetrics {
  private final MetricRegistry registry;
  private final Set<String> names = ConcurrentHashMap.newKeySet();
  private final Counter seen;
  private final Counter dying;
  private final Counter writtenBack;
  private final Counter collections;
  private final Counter collectionsRequested;
  private final Counter garbageEstimates;
  private final ConcurrentMap<String, Double> garbage = new ConcurrentHashMap<>();
  private final Counter indexesGivenUp;
  private final Counter held;
  private final Counter sent;
  private final Counter acknowledged;
  private final Counter requests;
  private final Counter waited;
  private final Counter entriesChecked;
  private final Counter entriesDropped;
  private final Counter repairsHeld;
  private final Counter repairsDeleted;
  private final Counter repairsFailed;
  private final ServerMaintenanceMetrics serverMaintenance;

  public GcMetrics(MetricRegistry registry) {
    this.registry = registry;
    Function<String, Counter> counters = this::counter;
    seen = counters.apply("cellsSeen");
    dying = counters.apply("cellsDying");
    writtenBack = counters.apply("cellsWrittenBack");
    collections = counters.apply("collections");
    collectionsRequested = counters.apply("collectionsRequested");
    garbageEstimates = counters.apply("garbageEstimates");
    registry.register(noted("garbageRatio"), (Gauge<Double>) this::greatestGarbage);
    indexesGivenUp = counters.apply("indexesGivenUp");
    held = counters.apply("deletesHeld");
    sent = counters.apply("deletesSent");
    acknowledged = counters.apply("deletesAcknowledged");
    requests = counters.apply("deleteRequests");
    waited = counters.apply("waitedMillis");
    entriesChecked = counters.apply("entriesChecked");
    entriesDropped = counters.apply("entriesDropped");
    repairsHeld = counters.apply("repairsHeld");
    repairsDeleted = counters.apply("repairsDeleted");
    repairsFailed = counters.apply("repairsFailed");
    serverMaintenance = new ServerMaintenanceMetrics(counters, name -> registry.timer(noted(name)));
  }

  /** The counter of that name, one for all who ask; it goes with the others. */
  Counter counter(String name) {
    return registry.counter(noted(name));
  }

  private String noted(String name) {
    names.add(name);
    return name;
  }

  /** Joins; to be followed by one {@link #leave}. */
  static GcMetrics join(RegionCoprocessorEnvironment env) {
    return shared(env).join(() -> new GcMetrics(env.getMetricRegistryForRegionServer()));
  }

  /** Leaves. */
  static void leave(RegionCoprocessorEnvironment env) {
    shared(env)
        .leave(metrics -> metrics.names.forEach(env.getMetricRegistryForRegionServer()::remove));
  }

  private static SharedResource<GcMetrics> shared(RegionCoprocessorEnvironment env) {
    return new SharedResource<>(env, GcMetrics.class, "of this JVM");
  }

  /** Cells of indexed families that a compaction read. */
  public void seen(int cells) {
    seen.increment(cells);
  }

  /** Cells of indexed columns that HBase would drop. */
  public void dying(int cells) {
    dying.increment(cells);
  }

  /** Dying cells that were kept because an index did not acknowledge. */
  public void writtenBack(int cells) {
    writtenBack.increment(cells);
  }

  /** A compaction that collects, or a pass ahead of one or behind it. */
  public void collecting() {
    collections.increment();
  }

  /**
   * The share of garbage in the files of a store, by estimate.
   *
   * @param store a name, to be {@linkplain #forgetGarbage forgotten} when its region closes
   */
  public void garbage(String store, double ratio) {
    garbage.put(store, ratio);
  }

  /** Such an estimate was made, and what follows from it is done. */
  public void garbageEstimated() {
    garbageEstimates.increment();
  }

  /** The last estimate does not hold any more. */
  public void forgetGarbage(String store) {
    garbage.remove(store);
  }

  private double greatestGarbage() {
    return garbage.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  /** HBase was asked for a compaction, for the sake of what it collects. */
  public void collectionRequested() {
    collectionsRequested.increment();
  }

  /** An index table that a compaction does not ask again, for it did not acknowledge in time. */
  public void indexGivenUp() {
    indexesGivenUp.increment();
  }

  /** Metrics of writes whose entries the server writes. */
  public ServerMaintenanceMetrics serverMaintenance() {
    return serverMaintenance;
  }

  /** Deletes that compactions hold in memory, more than before; negative if fewer. */
  public void deletesHeld(int deletes) {
    held.increment(deletes);
  }

  void sent(int deletes) {
    sent.increment(deletes);
    requests.increment();
  }

  void acknowledged(int deletes) {
    acknowledged.increment(deletes);
  }

  /** Entries about which a compaction of an index table asked the base table. */
  public void entriesChecked(int entries) {
    entriesChecked.increment(entries);
  }

  /** Entries that such a compaction dropped, since they were stale. */
  public void entriesDropped(int entries) {
    entriesDropped.increment(entries);
  }

  /** A suspect entry that the base may yet justify. */
  public void repairHeld() {
    repairsHeld.increment();
  }

  /** A suspect entry that was to be deleted, and whether the index acknowledged it. */
  void repairEnded(boolean acknowledged) {
    (acknowledged ? repairsDeleted : repairsFailed).increment();
  }

  /** Milliseconds for which compactions waited for indexes. */
  public void waited(long millis) {
    waited.increment(millis);
  }
}
