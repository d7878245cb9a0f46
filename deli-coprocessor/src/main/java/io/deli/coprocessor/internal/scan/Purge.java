package io.deli.coprocessor.internal.scan;

import java.lang.reflect.Field;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.StoreScanner;
import org.apache.hadoop.hbase.regionserver.querymatcher.StripeCompactionScanQueryMatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which delete markers a rewrite may drop.
 *
 * @param type whether any, unless there is a range
 * @param from first row of the range in which it may, as it reads all files of that range; null if
 *     there is none
 * @param to row behind it; null if there is none
 */
public record Purge(ScanType type, byte[] from, byte[] to) {
  private static final Logger LOG = LoggerFactory.getLogger(Purge.class);

  static final Purge NOTHING = of(ScanType.COMPACT_RETAIN_DELETES);

  /** Without a range. */
  public static Purge of(ScanType type) {
    return new Purge(type, null, null);
  }

  /**
   * As HBase's own scanner would. A striped store says of all its compactions that they drop no
   * markers; that one reads whole stripes, only its scanner knows.
   */
  public static Purge of(ScanType type, InternalScanner scanner) {
    if (scanner.getClass().equals(StoreScanner.class)) {
      try {
        Object matcher = field(StoreScanner.class, "matcher").get(scanner);
        if (matcher instanceof StripeCompactionScanQueryMatcher) {
          return new Purge(
              type,
              (byte[])
                  field(StripeCompactionScanQueryMatcher.class, "dropDeletesFromRow").get(matcher),
              (byte[])
                  field(StripeCompactionScanQueryMatcher.class, "dropDeletesToRow").get(matcher));
        }
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.warn("cannot tell which delete markers may go; all stay", e);
        return NOTHING;
      }
    }
    return of(type);
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
