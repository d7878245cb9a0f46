package io.deli.coprocessor.internal.scan;

import java.io.IOException;
import java.util.Collection;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.querymatcher.CompactionScanQueryMatcher;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Everything by which HBase decides what survives a rewrite of a store; with the same cells it
 * always decides the same.
 *
 * @param settings versions, TTL and the like of the family, unrelaxed
 * @param type whether delete markers may go
 * @param readPoint newest sequence id that every open scanner sees; newer cells always survive
 * @param earliestPut timestamp of the oldest put in the files that are rewritten
 * @param now the clock, in milliseconds
 */
public record Judgement(
    HStore store, ScanInfo settings, ScanType type, long readPoint, long earliestPut, long now) {
  private static final long PERHAPS_VERY_OLD = Long.MIN_VALUE;

  /** For memory written to a file, or compacted. */
  public static Judgement ofMemory(HStore store) {
    return now(store, ScanType.COMPACT_RETAIN_DELETES, PERHAPS_VERY_OLD);
  }

  /** For a compaction of these files. */
  public static Judgement ofFiles(HStore store, ScanType type, Collection<HStoreFile> files) {
    return now(
        store,
        type,
        files.stream().mapToLong(Judgement::earliestPut).min().orElse(PERHAPS_VERY_OLD));
  }

  private static Judgement now(HStore store, ScanType type, long earliestPut) {
    return new Judgement(
        store,
        store.getScanInfo(),
        type,
        store.getSmallestReadPoint(),
        earliestPut,
        EnvironmentEdgeManager.currentTime());
  }

  private static long earliestPut(HStoreFile file) {
    byte[] known = file.getMetadataValue(HStoreFile.EARLIEST_PUT_TS);
    return known == null ? PERHAPS_VERY_OLD : Bytes.toLong(known);
  }

  /** A judge to be shown every cell, in order. */
  public Judge judge() throws IOException {
    return new Judge(
        CompactionScanQueryMatcher.create(
            settings,
            type,
            readPoint,
            earliestPut,
            now - settings.getTtl(),
            now,
            null,
            null,
            store.getCoprocessorHost()));
  }
}
