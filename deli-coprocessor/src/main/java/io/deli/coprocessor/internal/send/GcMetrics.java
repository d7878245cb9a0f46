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
  private static final String BLOCKS_READ = "lookupBlocksRead";
  private static final String BLOCKS_SKIPPED = "lookupBlocksSkipped";
  private static final String INDEX_BLOCKS_READ = "lookupIndexBlocksRead";
  private static final String FILE_INDEXES_LOADED = "fileIndexesLoaded";
  private static final String FILE_INDEXES_BUILT = "fileIndexesBuilt";
  private static final String FILES_SEARCHED_WHOLE = "lookupFilesSearchedWhole";
  private static final String MEMORY_READ = "lookupMemoryRead";
  private static final String MEMORY_SEARCHED_WHOLE = "lookupMemorySearchedWhole";
  private static final String MEMORY_INDEX_BYTES = "memoryIndexBytes";

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
  private final Counter indexBlocksRead;
  private final Counter fileIndexesBuilt;
  private final Counter fileIndexesLoaded;
  private final Counter filesSearchedWhole;
  private final Counter memoryRead;
  private final Counter memorySearchedWhole;
  private final Counter memoryIndexBytes;

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
    filesSearchedWhole = registry.counter(FILES_SEARCHED_WHOLE);
    memoryRead = registry.counter(MEMORY_READ);
    memorySearchedWhole = registry.counter(MEMORY_SEARCHED_WHOLE);
    memoryIndexBytes = registry.counter(MEMORY_INDEX_BYTES);
    indexBlocksRead = registry.counter(INDEX_BLOCKS_READ);
    fileIndexesLoaded = registry.counter(FILE_INDEXES_LOADED);
    fileIndexesBuilt = registry.counter(FILE_INDEXES_BUILT);
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
            INDEX_BLOCKS_READ,
            FILE_INDEXES_BUILT,
            FILE_INDEXES_LOADED,
            FILES_SEARCHED_WHOLE,
            MEMORY_READ,
            MEMORY_SEARCHED_WHOLE,
            MEMORY_INDEX_BYTES,
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

  /** A block of rows that a lookup in the base table's files read to find candidates. */
  public void blockRead() {
    blocksRead.increment();
  }

  /** Blocks that it left out, for they cannot hold any. */
  public void blocksSkipped(int blocks) {
    blocksSkipped.increment(blocks);
  }

  /** A block of a file's index that it read to find out which. */
  public void indexBlockRead() {
    indexBlocksRead.increment();
  }

  /** A file whose index was read, as it was written with it. */
  public void fileIndexLoaded() {
    fileIndexesLoaded.increment();
  }

  /** A file that was read to index it. */
  public void fileIndexBuilt() {
    fileIndexesBuilt.increment();
  }

  /** A file in whose blocks a lookup had to look one by one, for it has no index. */
  public void fileSearchedWhole() {
    filesSearchedWhole.increment();
  }

  /** Entries of memory's index, or cells of memory, that a lookup looked at. */
  public void memoryRead(int count) {
    memoryRead.increment(count);
  }

  /** A lookup that looked at memory cell by cell. */
  public void memorySearchedWhole() {
    memorySearchedWhole.increment();
  }

  /** Bytes that indexes of memory take more than before; negative if less. */
  public void memoryIndexGrew(long bytes) {
    memoryIndexBytes.increment(bytes);
  }
}
