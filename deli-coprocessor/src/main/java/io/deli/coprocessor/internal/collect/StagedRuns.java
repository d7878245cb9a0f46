package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.scan.Replay;
import io.deli.coprocessor.internal.scan.RetentionContext;
import io.deli.coprocessor.spi.Contained;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs that follow a region's compactions in staged mode. A run classifies the cells of the
 * file that the compaction wrote, as a compaction of that file alone would, and deletes the entries
 * of versions that die. Then the file is <em>covered</em>: a later compaction repeats the
 * classification, cell by cell, and may drop those versions.
 *
 * <p>A file never changes and a {@link RetentionContext} holds all else that decides, the clock
 * included: so both find the same versions dying, whose entries are gone. Which files are covered
 * is known in memory only. After a move, a crash or a change of the table nothing is covered, the
 * next compaction keeps what dies, and its run deletes once more. Thread-safe.
 */
final class StagedRuns {
  private static final Logger LOG = LoggerFactory.getLogger(StagedRuns.class);

  /** Reads a file and deletes the entries of what dies in it. */
  interface Sweep {
    /** The rows in which that failed; empty if it was given up. */
    Optional<NavigableSet<byte[]>> run(HStoreFile file, RetentionContext context)
        throws IOException;
  }

  /**
   * The result of a finished run over a file.
   *
   * @param failed rows of which some delete was not acknowledged
   */
  private record Coverage(RetentionContext context, NavigableSet<byte[]> failed) {}

  private final Executor executor;
  private final RegionWaits waits;

  /** The covered files, by the store's own objects, and no longer than the store has them. */
  private final Map<HStoreFile, Coverage> covered =
      Collections.synchronizedMap(new WeakHashMap<>());

  StagedRuns(Executor executor, RegionWaits waits) {
    this.executor = executor;
    this.waits = waits;
  }

  /** Replays of the earlier runs over the files. */
  Map<HStoreFile, Replay> replays(Collection<HStoreFile> files) throws IOException {
    Map<HStoreFile, Replay> replays = new HashMap<>();
    for (HStoreFile file : files) {
      Coverage coverage = covered.get(file);
      if (coverage != null) {
        replays.put(file, new Replay(coverage.context(), coverage.failed()));
      }
    }
    return replays;
  }

  /**
   * Has a file covered that a compaction wrote, soon and by another thread. Until then the region
   * reports a compaction in progress, so that whoever waits for its compactions waits for the run,
   * too.
   */
  void cover(HStoreFile file, RetentionContext compaction, Sweep sweep) {
    HRegion region = compaction.store().getHRegion();
    region.reportCompactionRequestStart(false);
    try {
      executor.execute(
          () -> {
            try {
              run(file, compaction, sweep);
            } finally {
              region.reportCompactionRequestEnd(false, 0, 0);
            }
          });
    } catch (RejectedExecutionException e) {
      // The last region of the server has closed; whoever opens this one next starts afresh.
      region.reportCompactionRequestEnd(false, 0, 0);
    }
  }

  private void run(HStoreFile file, RetentionContext compaction, Sweep sweep) {
    if (waits.isAbandoned() || file.isCompactedAway()) {
      return;
    }
    try {
      RetentionContext context = compaction.again(List.of(file));
      Contained.run(
          () ->
              sweep
                  .run(file, context)
                  .ifPresent(failed -> covered.put(file, new Coverage(context, failed))),
          IOException::new);
    } catch (IOException e) {
      LOG.warn("{} is not covered; the next compaction's run will try again", file, e);
    }
  }
}
