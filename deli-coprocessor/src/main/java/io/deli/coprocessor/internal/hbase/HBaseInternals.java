package io.deli.coprocessor.internal.hbase;

import io.deli.coprocessor.spi.BlockKeys;
import io.deli.coprocessor.spi.Internal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.regionserver.StoreScanner;

/**
 * Reads by its name what HBase gives no coprocessor a hook for: the rows of which a compaction
 * reads all files. Changes nothing of HBase's.
 */
public final class HBaseInternals {
  private static final String MARKERS_STAY = "compactions of striped stores keep delete markers";

  private static final Internal MATCHER =
      Internal.field("regionserver.StoreScanner", "matcher", "ScanQueryMatcher", MARKERS_STAY);
  private static final Internal STRIPE_START = ofStripe("dropDeletesFromRow");
  private static final Internal STRIPE_STOP = ofStripe("dropDeletesToRow");

  private HBaseInternals() {}

  private static Internal ofStripe(String name) {
    return Internal.field(
        "regionserver.querymatcher.StripeCompactionScanQueryMatcher", name, "byte[]", MARKERS_STAY);
  }

  /** Everything that the coprocessor finds by its name. */
  static List<Internal> all() {
    return Stream.concat(
            BlockKeys.internals().stream(), Stream.of(MATCHER, STRIPE_START, STRIPE_STOP))
        .toList();
  }

  /** Rows, the second behind the range; either may be empty for no bound. */
  public record RowRange(byte[] start, byte[] stop) {
    /** Whether the cell's row is one of them. */
    public boolean contains(Cell cell) {
      CellComparator order = CellComparator.getInstance();
      return order.compareRows(cell, start, 0, start.length) >= 0
          && (stop.length == 0 || order.compareRows(cell, stop, 0, stop.length) < 0);
    }
  }

  /**
   * The rows of which a striped store's compaction reads all files, as only its scanner knows;
   * empty if there are none, or that cannot be told.
   */
  public static Optional<RowRange> wholeStripes(StoreScanner scanner) {
    try {
      Object matcher = MATCHER.get(scanner);
      return STRIPE_START.isOf(matcher) && STRIPE_STOP.isOf(matcher)
          ? Optional.of(
              new RowRange((byte[]) STRIPE_START.get(matcher), (byte[]) STRIPE_STOP.get(matcher)))
          : Optional.empty();
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }
}
