package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.collect.Collector.GcSettings;
import io.deli.coprocessor.internal.send.BaseTables;
import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.InternalScanner;

/**
 * Makes the compactions of one region of an index table drop stale entries, where no compaction of
 * the base table deletes them. Thread-safe.
 *
 * <p>Whether an entry is stale is for the region of its base row to tell, by the rule of read
 * repair: it is older than the grace period, so that its writer has ended, and the region holds no
 * version for it, visible or not, so that nothing can make one visible again. The compaction asks
 * for many entries at a time and leaves out those that are stale; see {@link StaleEntryScanner}. A
 * put that is left out exposes nothing, for all versions of an index table's cells are kept: each
 * stands for itself, and an equal one that was written meanwhile is in memory or another file, and
 * stays.
 *
 * <p>Only compactions of all files ask, since each entry costs the base table a read. They wait for
 * handlers of base regions, which wait for nobody to answer this. What the base table does not tell
 * in time stays, and a later compaction tries again.
 *
 * @param next the row at which the next compaction begins to ask: where the last one gave up, or
 *     the first one of all
 */
public record IndexTableCollector(
    TableName table,
    BaseTables bases,
    RegionWaits waits,
    GcMetrics metrics,
    AtomicReference<byte[]> next) {
  public IndexTableCollector(
      TableName table, BaseTables bases, RegionWaits waits, GcMetrics metrics) {
    this(table, bases, waits, metrics, new AtomicReference<>(HConstants.EMPTY_START_ROW));
  }

  /** The scanner that a compaction of all files is to read. */
  public InternalScanner collect(InternalScanner scanner, GcSettings settings) throws IOException {
    CompletableFuture<Optional<Index>> index = bases.indexOf(table);
    return waits.await(index, TimeUnit.MILLISECONDS.toNanos(settings.timeoutMillis()))
        ? index
            .join()
            .<InternalScanner>map(
                of -> new StaleEntryScanner(scanner, of, bases, settings, waits, metrics, next))
            .orElse(scanner)
        : scanner;
  }
}
