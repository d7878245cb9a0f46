package io.deli.coprocessor.internal.scan;

import io.deli.coprocessor.internal.hbase.HBaseInternals;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.StoreScanner;

/**
 * The delete markers that a rewrite may drop.
 *
 * @param type whether any, unless there is a range
 * @param from first row of the range in which it may, as it reads all files of that range; null if
 *     there is none
 * @param to row behind it; null if there is none
 */
public record Purge(ScanType type, byte[] from, byte[] to) {
  static final Purge NOTHING = of(ScanType.COMPACT_RETAIN_DELETES);

  /** A purge without a range. */
  public static Purge of(ScanType type) {
    return new Purge(type, null, null);
  }

  /**
   * The markers that HBase's own scanner would drop. A striped store says of all its compactions
   * that they drop none; only their scanner knows whether they read whole stripes.
   */
  public static Purge of(ScanType type, InternalScanner scanner) {
    return scanner.getClass().equals(StoreScanner.class)
        ? HBaseInternals.wholeStripes((StoreScanner) scanner)
            .map(stripes -> new Purge(type, stripes.start(), stripes.stop()))
            .orElse(of(type))
        : of(type);
  }
}
