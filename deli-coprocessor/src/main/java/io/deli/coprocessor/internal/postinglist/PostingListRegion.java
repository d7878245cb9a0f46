package io.deli.coprocessor.internal.postinglist;

import io.deli.coprocessor.internal.scan.ForwardingScanner;
import io.deli.coprocessor.spi.Contained;
import io.deli.strategy.CellMerger;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.IndexTables;
import io.deli.strategy.MergeTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.ScannerContext;

/** An open region of an index table whose rows are posting lists. Thread-safe. */
public final class PostingListRegion {
  /** HBase's own, of its locks of rows. */
  private static final String LOCK_WAIT = "hbase.rowlock.wait.duration";

  private static final int LOCK_WAIT_DEFAULT = 30_000;

  private final Region region;
  private final IndexStrategy strategy;
  private final int bytes;
  private final RowLocks locks;

  private PostingListRegion(
      RegionCoprocessorEnvironment env, IndexStrategy strategy, Consumer<String> problems) {
    this.region = env.getRegion();
    this.strategy = strategy;
    this.bytes = strategy.mergedBytes().get(env.getConfiguration(), problems);
    this.locks = new RowLocks(env.getConfiguration().getInt(LOCK_WAIT, LOCK_WAIT_DEFAULT));
  }

  /**
   * The region as one of posting lists; empty if it is another.
   *
   * @param problems is told what is malformed in the settings
   */
  public static Optional<PostingListRegion> of(
      RegionCoprocessorEnvironment env, Consumer<String> problems) {
    return IndexTables.mergingStrategy(env.getRegion().getTableDescriptor())
        .map(strategy -> new PostingListRegion(env, strategy, problems));
  }

  private CellMerger merger(int size, boolean all) {
    return strategy.merger(size, all, ThreadLocalRandom.current());
  }

  /** Makes HBase's compaction pass on the delete markers that the merge needs. */
  public void keepMarkers(ScanOptions options) {
    if (strategy.mergeTime() == MergeTime.AT_COMPACTION) {
      options.setKeepDeletedCells(KeepDeletedCells.TRUE);
      options.setTimeToPurgeDeletes(Long.MAX_VALUE);
    }
  }

  /** Merges lists while they are compacted. */
  public InternalScanner compacted(InternalScanner scanner, ScanType type) {
    return strategy.mergeTime() == MergeTime.AT_COMPACTION
        ? new MergingScanner(scanner, merger(bytes, type == ScanType.COMPACT_DROP_DELETES))
        : scanner;
  }

  /**
   * Merges a batch into the lists. Until {@link #done}, no other batch is merged into these rows.
   */
  public void written(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    if (strategy.mergeTime() != MergeTime.AT_WRITE) {
      return;
    }
    SortedMap<ByteBuffer, RowWrites> rows = RowWrites.of(batch);
    locks.lock(rows.keySet(), List.of());
    for (RowWrites writes : rows.values()) {
      Contained.run(
          () -> writes.merge(region, size -> merger(size, true), bytes),
          e ->
              new DoNotRetryIOException(
                  "the posting lists of %s could not be merged".formatted(region), e));
    }
  }

  /** To be called in the thread that called {@link #written}, whatever became of the batch. */
  public void done() {
    locks.unlock();
  }

  /** Merges the posting lists that a compaction reads. */
  private static final class MergingScanner extends ForwardingScanner {
    private final CellMerger merger;
    private final List<Cell> read = new ArrayList<>();

    MergingScanner(InternalScanner scanner, CellMerger merger) {
      super(scanner);
      this.merger = merger;
    }

    @Override
    public boolean next(List<Cell> out, ScannerContext context) throws IOException {
      boolean more = scanner.next(read, context);
      read.forEach(cell -> merger.add(cell, out::add));
      read.clear();
      if (!more) {
        merger.end(out::add);
      }
      return more;
    }
  }
}
