package io.deli.coprocessor.internal.send;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.Timer;

/**
 * Metrics in HBase's registry for observers of this name, of which there is one in a JVM. Versions
 * of the observer from several jars count in it together. It stays when the last of their regions
 * has closed: HBase, which looks for registries every ten seconds, would go on to show a dropped
 * one if another of its name is there when it looks. Thread-safe.
 */
public final class GcMetrics {
  private static final String RATIO = "garbageRatio";

  /** The counters. */
  public enum Count {
    /** Cells of indexed families that a compaction read. */
    SEEN("cellsSeen"),
    /** Cells of indexed columns that HBase would drop. */
    DYING("cellsDying"),
    /** Dying cells that were kept because an index did not acknowledge. */
    WRITTEN_BACK("cellsWrittenBack"),
    /** Compactions that collect, and passes ahead of one or behind it. */
    COLLECTIONS("collections"),
    /** Compactions that HBase was asked for, for the sake of what they collect. */
    COLLECTIONS_REQUESTED("collectionsRequested"),
    /** Estimates of {@link #garbage} from which all that follows is done. */
    GARBAGE_ESTIMATES("garbageEstimates"),
    /** Index tables that a compaction does not ask again, for they did not acknowledge in time. */
    INDEXES_GIVEN_UP("indexesGivenUp"),
    /** Deletes that compactions hold in memory; goes down, too. */
    DELETES_HELD("deletesHeld"),
    DELETES_SENT("deletesSent"),
    DELETES_ACKNOWLEDGED("deletesAcknowledged"),
    DELETE_REQUESTS("deleteRequests"),
    /** Milliseconds for which compactions waited for indexes. */
    WAITED_MILLIS("waitedMillis"),
    /** Entries about which a compaction of an index table asked the base table. */
    ENTRIES_CHECKED("entriesChecked"),
    /** Entries that such a compaction dropped, since they were stale. */
    ENTRIES_DROPPED("entriesDropped"),
    /** Suspect entries that the base may yet justify. */
    REPAIRS_HELD("repairsHeld"),
    /** Suspect entries whose delete the index acknowledged, or that it did not have. */
    REPAIRS_DELETED("repairsDeleted"),
    REPAIRS_FAILED("repairsFailed"),
    /** Time for which handlers waited for entries of indexes that the server maintains. */
    SERVED_WAIT_MICROS("servedWaitMicros"),
    /** Handlers that wait for such entries; goes down, too. */
    SERVED_HANDLERS_WAITING("servedHandlersWaiting"),
    SERVED_ENTRIES_ACKNOWLEDGED("servedEntriesAcknowledged"),
    /** Requests that were not carried out, for want of their entries. */
    SERVED_REQUESTS_REFUSED("servedRequestsRefused"),
    /** Entries that were written again, for their write took so long. */
    SERVED_ENTRIES_LATE("servedEntriesLate");

    private final String metric;

    Count(String metric) {
      this.metric = metric;
    }
  }

  private final MetricRegistry registry;
  private final ConcurrentMap<String, Double> garbage = new ConcurrentHashMap<>();
  private final Map<Count, Counter> counters = new EnumMap<>(Count.class);
  private final Gauge<Double> ratio = this::greatestGarbage;
  private final Timer servedWait;

  public GcMetrics(MetricRegistry registry) {
    this.registry = registry;
    for (Count each : Count.values()) {
      counters.put(each, counter(each.metric));
    }
    servedWait = registry.timer("servedWait");
  }

  /** The counter of that name, one for all who ask. */
  Counter counter(String name) {
    return registry.counter(name);
  }

  /** Joins; to be followed by one {@link #leave}. */
  static GcMetrics join(RegionCoprocessorEnvironment env) {
    GcMetrics metrics =
        shared(env).join(() -> new GcMetrics(kept(env.getMetricRegistryForRegionServer())));
    // Of several versions the first to come shows its ratio; when it has left, another does.
    metrics.registry.register(RATIO, metrics.ratio);
    return metrics;
  }

  /** Holds a registry, which HBase drops when all that it has given it to are gone. */
  static MetricRegistry kept(MetricRegistry registry) {
    return MetricRegistries.global().create(registry.getMetricRegistryInfo());
  }

  static void leave(RegionCoprocessorEnvironment env) {
    shared(env).leave(metrics -> metrics.registry.remove(RATIO, metrics.ratio));
  }

  private static SharedResource<GcMetrics> shared(RegionCoprocessorEnvironment env) {
    return new SharedResource<>(env, GcMetrics.class, "of this JVM");
  }

  /** Counts a request that carries deletes. */
  void requested(List<IndexDelete> deletes) {
    add(Count.DELETES_SENT, deletes.stream().mapToInt(IndexDelete::cells).sum());
    add(Count.DELETE_REQUESTS, 1);
  }

  /** Counts so many more, or fewer if negative. */
  public void add(Count what, long amount) {
    counters.get(what).increment(amount);
  }

  /**
   * The share of garbage in the files of a store, by estimate.
   *
   * @param store a name, to be {@linkplain #forgetGarbage forgotten} when its region closes
   */
  public void garbage(String store, double ratio) {
    garbage.put(store, ratio);
  }

  /** The last estimate does not hold any more. */
  public void forgetGarbage(String store) {
    garbage.remove(store);
  }

  private double greatestGarbage() {
    return garbage.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  /** A handler has waited for entries of an index that the server maintains. */
  public void servedWait(long nanos) {
    servedWait.update(nanos, TimeUnit.NANOSECONDS);
    add(Count.SERVED_WAIT_MICROS, TimeUnit.NANOSECONDS.toMicros(nanos));
  }
}
