package io.deli.coprocessor.internal.send;

import java.util.stream.Stream;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/**
 * Counters in HBase's metric registry for the observer, of which there is one in a JVM. The last
 * region to leave removes them. Thread-safe.
 */
public final class GcMetrics {
  private static final String SEEN = "cellsSeen";
  private static final String DYING = "cellsDying";
  private static final String WRITTEN_BACK = "cellsWrittenBack";
  private static final String SENT = "deletesSent";
  private static final String ACKNOWLEDGED = "deletesAcknowledged";
  private static final String REQUESTS = "deleteRequests";
  private static final String WAITED = "waitedMillis";
  private static final String REPAIRS_HELD = "repairsHeld";
  private static final String REPAIRS_DELETED = "repairsDeleted";
  private static final String REPAIRS_FAILED = "repairsFailed";
  private static final String BLOCKS_READ = "embeddedBlocksRead";
  private static final String BLOCKS_SKIPPED = "embeddedBlocksSkipped";
  private static final String SKETCHES_LOADED = "embeddedFiltersLoaded";
  private static final String SKETCHES_BUILT = "embeddedFiltersBuilt";
  private static final String SCANS_UNAIDED = "embeddedScansUnaided";

  private final Counter seen;
  private final Counter dying;
  private final Counter writtenBack;
  private final Counter sent;
  private final Counter acknowledged;
  private final Counter requests;
  private final Counter waited;
  private final Counter repairsHeld;
  private final Counter repairsDeleted;
  private final Counter repairsFailed;
  private final Counter blocksRead;
  private final Counter blocksSkipped;
  private final Counter sketchesBuilt;
  private final Counter sketchesLoaded;
  private final Counter scansUnaided;

  private GcMetrics(MetricRegistry registry) {
    seen = registry.counter(SEEN);
    dying = registry.counter(DYING);
    writtenBack = registry.counter(WRITTEN_BACK);
    sent = registry.counter(SENT);
    acknowledged = registry.counter(ACKNOWLEDGED);
    requests = registry.counter(REQUESTS);
    waited = registry.counter(WAITED);
    repairsHeld = registry.counter(REPAIRS_HELD);
    repairsDeleted = registry.counter(REPAIRS_DELETED);
    repairsFailed = registry.counter(REPAIRS_FAILED);
    scansUnaided = registry.counter(SCANS_UNAIDED);
    sketchesLoaded = registry.counter(SKETCHES_LOADED);
    sketchesBuilt = registry.counter(SKETCHES_BUILT);
    blocksSkipped = registry.counter(BLOCKS_SKIPPED);
    blocksRead = registry.counter(BLOCKS_READ);
  }

  /** Joins; to be followed by one {@link #leave}. */
  static GcMetrics join(RegionCoprocessorEnvironment env) {
    return shared(env).join(() -> new GcMetrics(env.getMetricRegistryForRegionServer()));
  }

  /** Leaves. */
  static void leave(RegionCoprocessorEnvironment env) {
    shared(env).leave(metrics -> remove(env.getMetricRegistryForRegionServer()));
  }

  private static Shared<GcMetrics> shared(RegionCoprocessorEnvironment env) {
    return new Shared<>(env, GcMetrics.class, "of this JVM");
  }

  private static void remove(MetricRegistry registry) {
    Stream.of(
            SEEN,
            DYING,
            WRITTEN_BACK,
            SENT,
            ACKNOWLEDGED,
            REQUESTS,
            WAITED,
            REPAIRS_HELD,
            REPAIRS_DELETED,
            REPAIRS_FAILED,
            BLOCKS_SKIPPED,
            SKETCHES_BUILT,
            SKETCHES_LOADED,
            SCANS_UNAIDED,
            BLOCKS_READ)
        .forEach(registry::remove);
  }

  /** Cells of indexed families that a compaction read. */
  public void seen(int cells) {
    seen.increment(cells);
  }

  /** Cells of indexed columns that HBase would drop. */
  public void dying(int cells) {
    dying.increment(cells);
  }

  /** Of these, those kept because an index did not acknowledge. */
  public void writtenBack(int cells) {
    writtenBack.increment(cells);
  }

  void sent(int deletes) {
    sent.increment(deletes);
    requests.increment();
  }

  void acknowledged(int deletes) {
    acknowledged.increment(deletes);
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

  /** A block that a lookup of an embedded index read to find candidates. */
  public void blockRead() {
    blocksRead.increment();
  }

  /** Blocks that it left out, for they cannot hold any. */
  public void blocksSkipped(int blocks) {
    blocksSkipped.increment(blocks);
  }

  /** A file whose filters were read, as it was written with them. */
  public void sketchLoaded() {
    sketchesLoaded.increment();
  }

  /** A file that was read for its filters. */
  public void sketchBuilt() {
    sketchesBuilt.increment();
  }

  /** A lookup of an embedded index that read everything, since filters were missing. */
  public void scanUnaided() {
    scansUnaided.increment();
  }
}
