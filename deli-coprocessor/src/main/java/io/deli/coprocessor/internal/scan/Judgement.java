package io.deli.coprocessor.internal.scan;

import java.io.IOException;
import java.util.Collection;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.regionserver.CustomizedScanInfoBuilder;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.querymatcher.CompactionScanQueryMatcher;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Everything by which HBase decides what survives a rewrite of a store; with the same cells it
 * always decides the same.
 *
 * @param settings versions, TTL and the like, unrelaxed
 * @param purge which delete markers may go
 * @param revivable columns of which is to be known which versions {@linkplain Revival might be seen
 *     again}; null if no cell has a time to live of its own
 * @param readPoint newest sequence id that every open scanner sees; newer cells always survive
 * @param earliestPut timestamp of the oldest put in the files that are rewritten
 * @param now the clock, in milliseconds
 */
public record Judgement(
    HStore store,
    ScanInfo settings,
    Purge purge,
    Predicate<Cell> revivable,
    long readPoint,
    long earliestPut,
    long now) {
  private static final long PERHAPS_VERY_OLD = Long.MIN_VALUE;

  /** For memory written to a file, or compacted. */
  public static Judgement ofMemory(HStore store, ScanInfo settings) {
    return now(store, settings, Purge.NOTHING, null, PERHAPS_VERY_OLD);
  }

  /**
   * For a compaction of these files.
   *
   * @param files empty if they are not known
   * @param indexed columns whose versions have entries
   */
  public static Judgement ofFiles(
      HStore store,
      ScanInfo settings,
      Purge purge,
      Predicate<Cell> indexed,
      Collection<HStoreFile> files) {
    return now(
        store,
        settings,
        purge,
        files.isEmpty() || files.stream().anyMatch(Judgement::mayHaveTags) ? indexed : null,
        files.stream().mapToLong(Judgement::earliestPut).min().orElse(PERHAPS_VERY_OLD));
  }

  /** For a compaction of other files by the same settings, now. */
  public Judgement again(Collection<HStoreFile> files) {
    return ofFiles(store, settings, purge, revivable, files);
  }

  private static Judgement now(
      HStore store, ScanInfo settings, Purge purge, Predicate<Cell> revivable, long earliestPut) {
    return new Judgement(
        store,
        settings,
        purge,
        revivable,
        store.getSmallestReadPoint(),
        earliestPut,
        EnvironmentEdgeManager.currentTime());
  }

  private static boolean mayHaveTags(HStoreFile file) {
    StoreFileReader reader = file.getReader();
    return reader == null || reader.getHFileReader().getFileContext().isIncludesTags();
  }

  private static long earliestPut(HStoreFile file) {
    byte[] known = file.getMetadataValue(HStoreFile.EARLIEST_PUT_TS);
    return known == null ? PERHAPS_VERY_OLD : Bytes.toLong(known);
  }

  /** A judge to be shown every cell, in order. */
  public Judge judge() throws IOException {
    return revivable == null || settings.getMaxVersions() == Integer.MAX_VALUE
        ? new Judge(matcher(settings), null)
        : new Judge(
            matcher(settings),
            new Revival(new Judge(matcher(everyVersion()), null), settings, now, revivable));
  }

  /** Drops what is deleted, or expired without being one of MIN_VERSIONS. */
  private ScanInfo everyVersion() {
    CustomizedScanInfoBuilder every = new CustomizedScanInfoBuilder(settings);
    every.setMaxVersions(Integer.MAX_VALUE);
    every.setKeepDeletedCells(KeepDeletedCells.FALSE);
    every.setTTL(settings.getMinVersions() > 0 ? Long.MAX_VALUE : settings.getTtl());
    return every.build();
  }

  private CompactionScanQueryMatcher matcher(ScanInfo info) throws IOException {
    return CompactionScanQueryMatcher.create(
        info,
        purge.type(),
        readPoint,
        earliestPut,
        now - info.getTtl(),
        now,
        purge.from(),
        purge.to(),
        store.getCoprocessorHost());
  }
}
