package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.hbase.BatchShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** The environment of an open region, as far as its {@link Admission} asks. */
public interface RegionPlace {
  /** An order of the cells of a row with one timestamp, by all that they have. */
  Comparator<Cell> ORDER =
      ((Comparator<Cell>) CellComparator.getInstance()::compareFamilies)
          .thenComparing(CellComparator.getInstance()::compareQualifiers)
          .thenComparing(Cell::getType)
          .thenComparing(CellUtil::cloneValue, Bytes.BYTES_COMPARATOR);

  /** The server's clock, in milliseconds. */
  long now();

  /** The request that is being served, the same object as long as it is; null for none. */
  Object request();

  /** Whether each mutation of the request's batch with this row succeeds or fails by itself. */
  boolean isOfEach(byte[] row);

  /** All cells of a row with a timestamp, whatever hides them. */
  List<Cell> cells(byte[] row, long timestamp) throws IOException;

  /** Whether a row has such cells with a timestamp, whatever hides them. */
  default boolean holds(byte[] row, long timestamp, List<Cell> cells) throws IOException {
    Set<Cell> there = new TreeSet<>(ORDER);
    there.addAll(cells(row, timestamp));
    return there.containsAll(cells);
  }

  /** The greatest timestamp among the cells that a Get sees; 0 if it sees none. */
  long newest(Get get) throws IOException;

  /** The environment of one of HBase's regions. */
  static RegionPlace of(Region region) {
    return new RegionPlace() {
      @Override
      public long now() {
        return EnvironmentEdgeManager.currentTime();
      }

      @Override
      public Object request() {
        return RpcServer.getCurrentCall().orElse(null);
      }

      @Override
      public boolean isOfEach(byte[] row) {
        return BatchShape.ofCall(region.getRegionInfo().getRegionName(), row).ofEach();
      }

      @Override
      public List<Cell> cells(byte[] row, long timestamp) throws IOException {
        return cells(new Scan(new Get(row).readAllVersions().setTimestamp(timestamp)).setRaw(true));
      }

      @Override
      public long newest(Get get) throws IOException {
        return cells(new Scan(get)).stream().mapToLong(Cell::getTimestamp).max().orElse(0);
      }

      private List<Cell> cells(Scan ofRow) throws IOException {
        List<Cell> cells = new ArrayList<>();
        try (RegionScanner scanner = region.getScanner(ofRow)) {
          boolean more;
          do {
            more = scanner.next(cells);
          } while (more);
          // Their blocks may be used for others once it is closed.
          return cells.stream().<Cell>map(KeyValueUtil::copyToNewKeyValue).toList();
        }
      }
    };
  }
}
