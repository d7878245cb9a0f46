package io.deli.coprocessor.internal.scan;

import java.io.IOException;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.regionserver.CustomizedScanInfoBuilder;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.querymatcher.CompactionScanQueryMatcher;

/**
 * Everything by which HBase decides what survives a rewrite of files or memory; with the same cells
 * it always decides the same.
 *
 * @param settings versions, TTL and the like, unrelaxed
 * @param purge which delete markers may go
 * @param revivable columns of which is to be known which versions {@linkplain Revival might be seen
 *     again}; null if no cell has a time to live of its own
 * @param readPoint newest sequence id that every open scanner sees; newer cells always survive
 * @param earliestPut timestamp of the oldest put in the files that are rewritten
 * @param now the clock, in milliseconds
 */
public record Rewrite(
    ScanInfo settings,
    Purge purge,
    Predicate<Cell> revivable,
    long readPoint,
    long earliestPut,
    long now) {
  /**
   * A judge to be shown every cell, in order.
   *
   * @param host coprocessors that may track deletes in their own way; null if there are none
   */
  public Judge judge(RegionCoprocessorHost host) throws IOException {
    return revivable == null || settings.getMaxVersions() == Integer.MAX_VALUE
        ? new Judge(matcher(settings, host), null)
        : new Judge(
            matcher(settings, host),
            new Revival(new Judge(matcher(everyVersion(), host), null), settings, now, revivable));
  }

  /** Drops what is deleted, or expired without being one of MIN_VERSIONS. */
  private ScanInfo everyVersion() {
    CustomizedScanInfoBuilder every = new CustomizedScanInfoBuilder(settings);
    every.setMaxVersions(Integer.MAX_VALUE);
    every.setKeepDeletedCells(KeepDeletedCells.FALSE);
    every.setTTL(settings.getMinVersions() > 0 ? Long.MAX_VALUE : settings.getTtl());
    return every.build();
  }

  private CompactionScanQueryMatcher matcher(ScanInfo info, RegionCoprocessorHost host)
      throws IOException {
    return CompactionScanQueryMatcher.create(
        info,
        purge.type(),
        readPoint,
        earliestPut,
        now - info.getTtl(),
        now,
        purge.from(),
        purge.to(),
        host);
  }
}
