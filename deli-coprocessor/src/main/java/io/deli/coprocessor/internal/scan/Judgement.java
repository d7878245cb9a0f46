package io.deli.coprocessor.internal.scan;

import java.io.IOException;
import java.util.Collection;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** A rewrite of a store. */
public record Judgement(HStore store, Rewrite rewrite) {
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
    return ofFiles(store, rewrite.settings(), rewrite.purge(), rewrite.revivable(), files);
  }

  private static Judgement now(
      HStore store, ScanInfo settings, Purge purge, Predicate<Cell> revivable, long earliestPut) {
    return new Judgement(
        store,
        new Rewrite(
            settings,
            purge,
            revivable,
            store.getSmallestReadPoint(),
            earliestPut,
            EnvironmentEdgeManager.currentTime()));
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
    return rewrite.judge(store.getCoprocessorHost());
  }
}
