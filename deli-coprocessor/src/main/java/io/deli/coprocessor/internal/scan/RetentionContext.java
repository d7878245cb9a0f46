package io.deli.coprocessor.internal.scan;

import io.deli.coprocessor.internal.scan.RetentionRules.Purge;
import io.deli.index.Column;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** A store, and the rules by which a rewrite of its files or memory keeps its cells. */
public record RetentionContext(HStore store, RetentionRules rules) {
  private static final long PERHAPS_VERY_OLD = Long.MIN_VALUE;

  /**
   * The context of memory written to a file, or compacted.
   *
   * @param lasting columns whose superseded versions have lost their entries
   */
  public static RetentionContext ofMemory(HStore store, ScanInfo settings, List<Column> lasting) {
    Predicate<Cell> any = cell -> lasting.stream().anyMatch(column -> column.matches(cell));
    return now(
        store, settings, Purge.NOTHING, lasting.isEmpty() ? null : any, any, PERHAPS_VERY_OLD);
  }

  /**
   * The context of a compaction of these files.
   *
   * @param files empty if they are not known
   * @param indexed columns whose versions have entries
   * @param lasting those of them whose superseded versions may have lost theirs
   */
  public static RetentionContext ofFiles(
      HStore store,
      ScanInfo settings,
      Purge purge,
      Predicate<Cell> indexed,
      Predicate<Cell> lasting,
      Collection<HStoreFile> files) {
    return now(
        store,
        settings,
        purge,
        files.isEmpty() || files.stream().anyMatch(RetentionContext::mayHaveTags) ? indexed : null,
        lasting,
        files.stream().mapToLong(RetentionContext::earliestPut).min().orElse(PERHAPS_VERY_OLD));
  }

  /** The context of a compaction of other files by the same settings, now. */
  public RetentionContext again(Collection<HStoreFile> files) {
    return ofFiles(
        store, rules.settings(), rules.purge(), rules.revivable(), rules.lasting(), files);
  }

  private static RetentionContext now(
      HStore store,
      ScanInfo settings,
      Purge purge,
      Predicate<Cell> revivable,
      Predicate<Cell> lasting,
      long earliestPut) {
    return new RetentionContext(
        store,
        new RetentionRules(
            settings,
            purge,
            revivable,
            lasting,
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

  /** A matcher to be given every cell, in order. */
  public RetentionMatcher matcher() throws IOException {
    return rules.matcher(store.getCoprocessorHost());
  }
}
