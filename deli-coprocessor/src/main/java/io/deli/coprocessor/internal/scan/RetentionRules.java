package io.deli.coprocessor.internal.scan;

import io.deli.coprocessor.internal.hbase.HBaseInternals;
import io.deli.coprocessor.internal.hbase.HBaseInternals.RowRange;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.regionserver.CustomizedScanInfoBuilder;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.StoreScanner;
import org.apache.hadoop.hbase.regionserver.querymatcher.CompactionScanQueryMatcher;

/**
 * The rules by which HBase decides which cells survive a rewrite of files or memory. They are
 * deterministic: the clock is one of them.
 *
 * @param settings versions, TTL and the like, unrelaxed
 * @param purge which delete markers may go
 * @param revivable columns whose {@linkplain ResurrectionFinder resurrectable} versions are to be
 *     found, and stay where older ones may be in other files; null if no cell has a time to live of
 *     its own
 * @param lasting those of them whose superseded versions may have lost their entries though no
 *     rewrite was to drop them
 * @param readPoint newest sequence id that every open scanner sees; newer cells always survive
 * @param earliestPut timestamp of the oldest put in the files that are rewritten
 * @param now the clock, in milliseconds
 */
public record RetentionRules(
    ScanInfo settings,
    Purge purge,
    Predicate<Cell> revivable,
    Predicate<Cell> lasting,
    long readPoint,
    long earliestPut,
    long now) {
  /**
   * The delete markers that a rewrite may drop.
   *
   * @param type whether any, unless there is a range
   * @param range the rows in which it may, as it reads all files of them; empty if there is none
   */
  public record Purge(ScanType type, Optional<RowRange> range) {
    static final Purge NOTHING = of(ScanType.COMPACT_RETAIN_DELETES);

    /** A purge without a range. */
    public static Purge of(ScanType type) {
      return new Purge(type, Optional.empty());
    }

    /**
     * The markers that HBase's own scanner would drop. A striped store says of all its compactions
     * that they drop none; only their scanner knows whether they read whole stripes.
     */
    public static Purge of(ScanType type, InternalScanner scanner) {
      return scanner.getClass().equals(StoreScanner.class)
          ? new Purge(type, HBaseInternals.wholeStripes((StoreScanner) scanner))
          : of(type);
    }

    /** Whether the rewrite reads all that files have of the rows of a region or of a stripe. */
    public boolean isWhole() {
      return type == ScanType.COMPACT_DROP_DELETES || range.isPresent();
    }

    /** Whether the rewrite reads all that files have of the cell's row. */
    public boolean readsAll(Cell cell) {
      return type == ScanType.COMPACT_DROP_DELETES
          || (range.isPresent() && range.get().contains(cell));
    }
  }

  /**
   * A matcher to be given every cell, in order.
   *
   * @param host coprocessors that may track deletes in their own way; null if there are none
   */
  public RetentionMatcher matcher(RegionCoprocessorHost host) throws IOException {
    return revivable == null
        ? new RetentionMatcher(hbaseMatcher(settings, host), null)
        : new RetentionMatcher(
            hbaseMatcher(settings, host),
            new ResurrectionFinder(
                new RetentionMatcher(hbaseMatcher(everyVersion(), host), null), this));
  }

  /** Drops what is deleted, or expired without being one of MIN_VERSIONS. */
  private ScanInfo everyVersion() {
    CustomizedScanInfoBuilder every = new CustomizedScanInfoBuilder(settings);
    every.setMaxVersions(Integer.MAX_VALUE);
    every.setKeepDeletedCells(KeepDeletedCells.FALSE);
    every.setTTL(settings.getMinVersions() > 0 ? Long.MAX_VALUE : settings.getTtl());
    return every.build();
  }

  private CompactionScanQueryMatcher hbaseMatcher(ScanInfo info, RegionCoprocessorHost host)
      throws IOException {
    return CompactionScanQueryMatcher.create(
        info,
        purge.type(),
        readPoint,
        earliestPut,
        now - info.getTtl(),
        now,
        purge.range().map(RowRange::start).orElse(null),
        purge.range().map(RowRange::stop).orElse(null),
        host);
  }
}
