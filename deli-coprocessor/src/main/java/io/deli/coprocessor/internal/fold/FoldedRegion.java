package io.deli.coprocessor.internal.fold;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.spi.Contained;
import io.deli.strategy.CellMerger;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.IndexTables;
import io.deli.strategy.MergeTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;

/** An open region of an index table whose rows are folded. Thread-safe. */
public final class FoldedRegion {
  /** HBase's own, of its locks of rows. */
  private static final String LOCK_WAIT = "hbase.rowlock.wait.duration";

  private static final int LOCK_WAIT_DEFAULT = 30_000;

  private final Region region;
  private final IndexStrategy strategy;
  private final int bytes;
  private final RowLocks locks;

  private FoldedRegion(
      RegionCoprocessorEnvironment env, IndexStrategy strategy, Consumer<String> problems) {
    this.region = env.getRegion();
    this.strategy = strategy;
    this.bytes = DeliSettings.LIST_BYTES.get(env.getConfiguration(), problems);
    this.locks = new RowLocks(env.getConfiguration().getInt(LOCK_WAIT, LOCK_WAIT_DEFAULT));
  }

  /**
   * The region as one that is folded; empty if it is another.
   *
   * @param problems is told what is malformed in the settings
   */
  public static Optional<FoldedRegion> of(
      RegionCoprocessorEnvironment env, Consumer<String> problems) {
    return IndexTables.mergingStrategy(env.getRegion().getTableDescriptor())
        .map(strategy -> new FoldedRegion(env, strategy, problems));
  }

  private CellMerger fold(int size, boolean all) {
    return strategy.merger(size, all, ThreadLocalRandom.current());
  }

  /** Makes HBase's compaction pass the markers on that the fold needs. */
  public void keepMarkers(ScanOptions options) {
    if (strategy.mergeTime() == MergeTime.AT_COMPACTION) {
      options.setKeepDeletedCells(KeepDeletedCells.TRUE);
      options.setTimeToPurgeDeletes(Long.MAX_VALUE);
    }
  }

  /** Folds what is compacted. */
  public InternalScanner compacted(InternalScanner scanner, ScanType type) {
    return strategy.mergeTime() == MergeTime.AT_COMPACTION
        ? new FoldingScanner(scanner, fold(bytes, type == ScanType.COMPACT_DROP_DELETES))
        : scanner;
  }

  /** Folds what is written. Until {@link #done}, nobody else folds these rows. */
  public void written(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    if (strategy.mergeTime() != MergeTime.AT_WRITE) {
      return;
    }
    SortedMap<ByteBuffer, RowWrites> rows = RowWrites.of(batch);
    locks.lock(rows.keySet());
    for (RowWrites writes : rows.values()) {
      Contained.run(
          () -> writes.fold(region, size -> fold(size, true), bytes),
          e -> new DoNotRetryIOException("could not fold what is written to " + region, e));
    }
  }

  /** To be called in the thread that called {@link #written}, whatever became of the batch. */
  public void done() {
    locks.unlock();
  }
}
