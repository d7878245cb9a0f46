package io.deli.test.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.DeliRegionObserver;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;

/** A region without a server, on the local file system: a step takes milliseconds. */
final class TwinRegion implements AutoCloseable {
  /** How the region treats versions that may go. */
  enum Kind {
    /** As HBase alone. */
    PLAIN,
    /** As HBase alone with an old reader, for whom flushes must keep everything. */
    HELD,
    /** With DELI. */
    DELI
  }

  private final HRegion region;
  private final RegionScanner reader;
  private final Kind kind;

  private TwinRegion(Kind kind, HRegion region) throws IOException {
    this.kind = kind;
    this.region = region;
    reader = region.getScanner(new Scan());
    reader.close();
  }

  static TwinRegion create(Kind kind, TableDescriptor table) throws IOException {
    Configuration conf = MiniCluster.configuration();
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, "file:///");
    conf.setBoolean("hbase.store.delete.expired.storefile", false);
    // Picks files by age alone, so that all twins compact the same ones.
    conf.set(
        "hbase.hstore.defaultengine.compactionpolicy.class",
        "org.apache.hadoop.hbase.regionserver.compactions.RatioBasedCompactionPolicy");
    conf.setInt("hbase.hstore.compaction.min", 2);
    conf.setInt("hbase.hstore.compaction.max", 2);
    Path dir =
        new Path(
            MiniCluster.utility().getDataTestDir("twins").toUri().getPath(),
            UUID.randomUUID().toString());
    conf.set(HConstants.HBASE_DIR, "file:" + dir);
    conf.set("hbase.wal.dir", "file:" + dir);
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
    if (kind == Kind.DELI) {
      builder.setCoprocessor(DeliRegionObserver.class.getName());
    }
    TableDescriptor own = builder.build();
    HRegion region =
        HBaseTestingUtility.createRegionAndWAL(
            RegionInfoBuilder.newBuilder(own.getTableName()).build(), dir, conf, own);
    if (kind == Kind.DELI) {
      region.setCoprocessorHost(new RegionCoprocessorHost(region, null, conf));
      // HBase goes on without an observer that fails to start.
      assertThat(region.getCoprocessorHost().findCoprocessor(DeliRegionObserver.class)).isNotNull();
    }
    return new TwinRegion(kind, region);
  }

  void apply(Mutation mutation) throws IOException {
    mutation.setDurability(Durability.SKIP_WAL);
    if (mutation instanceof Put put) {
      region.put(put);
    } else {
      region.delete((Delete) mutation);
    }
  }

  void flush() throws Exception {
    whileReading(() -> region.flush(true));
  }

  void compactInMemory() throws Exception {
    whileReading(() -> InMemory.compact(region));
  }

  void minor() throws IOException {
    region.compact(false);
    awaitQuiet();
  }

  /** What follows a compaction is done. */
  private void awaitQuiet() throws IOException {
    MiniCluster.utility()
        .waitFor(30_000, 1, () -> region.getCompactionState() == CompactionState.NONE);
  }

  void major() throws IOException {
    for (HStore store : region.getStores()) {
      store.triggerMajorCompaction();
      // As a user's request, for only that takes all files.
      Optional<CompactionContext> compaction =
          store.requestCompaction(
              Store.PRIORITY_USER, CompactionLifeCycleTracker.DUMMY, User.getCurrent());
      if (compaction.isPresent()) {
        region.compact(compaction.get(), store, NoLimitThroughputController.INSTANCE);
      }
    }
    awaitQuiet();
  }

  private interface Step {
    void run() throws Exception;
  }

  private void whileReading(Step step) throws Exception {
    if (kind != Kind.HELD) {
      step.run();
      return;
    }
    Map<RegionScanner, Long> points = readPoints();
    points.put(reader, 0L);
    try {
      step.run();
    } finally {
      points.remove(reader);
    }
  }

  @SuppressWarnings("unchecked")
  private Map<RegionScanner, Long> readPoints() throws ReflectiveOperationException {
    Field field = HRegion.class.getDeclaredField("scannerReadPoints");
    field.setAccessible(true);
    return (Map<RegionScanner, Long>) field.get(region);
  }

  List<Cell> scan(Scan scan) throws IOException {
    List<Cell> all = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> row = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(row);
        all.addAll(row);
        row.clear();
      }
    }
    return all;
  }

  /** Living cells of the indexed column, of the others, or (null) of all. */
  List<String> live(Boolean indexed) throws IOException {
    return scan(new Scan().readAllVersions()).stream()
        .filter(
            cell ->
                indexed == null
                    || indexed == CellUtil.matchingQualifier(cell, RetentionHistory.INDEXED))
        .map(
            cell ->
                CellUtil.getCellKeyAsString(cell) + "=" + Bytes.toString(CellUtil.cloneValue(cell)))
        .toList();
  }

  @Override
  public void close() throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(region);
  }
}
