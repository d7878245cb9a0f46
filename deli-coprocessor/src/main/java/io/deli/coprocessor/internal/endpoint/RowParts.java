package io.deli.coprocessor.internal.endpoint;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.Region;

/** Reads what the memory and the files of a store have of a row, each by itself. */
final class RowParts {
  private RowParts() {}

  /** Looks at scanners of the parts, which are closed afterwards. */
  interface Look<T> {
    T at(HStore store, List<KeyValueScanner> parts) throws IOException;
  }

  /**
   * Looks at the parts that may hold something of a scan of one row of one family.
   *
   * @param row tells which files do not, by their Bloom filters, times and keys
   */
  static <T> T of(Region region, Scan row, Look<T> look) throws IOException {
    region.startRegionOperation();
    try {
      HStore store = (HStore) region.getStore(row.getFamilies()[0]);
      byte[] key = row.getStartRow();
      // What is being written counts as well.
      long readPoint = Long.MAX_VALUE;
      List<KeyValueScanner> all =
          store.getScanners(true, true, false, null, key, true, key, true, readPoint, false);
      try {
        List<KeyValueScanner> parts = new ArrayList<>(all);
        parts.removeIf(part -> !part.shouldUseScanner(row, store, Long.MIN_VALUE));
        return look.at(store, parts);
      } finally {
        all.forEach(KeyValueScanner::close);
      }
    } finally {
      region.closeRegionOperation();
    }
  }
}
