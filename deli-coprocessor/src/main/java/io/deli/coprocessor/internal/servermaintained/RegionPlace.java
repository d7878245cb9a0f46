package io.deli.coprocessor.internal.servermaintained;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** The environment of an open region, as far as its {@link Admission} asks. */
public interface RegionPlace {
  /** The server's clock, in milliseconds. */
  long now();

  /** The request that is being served, the same object as long as it is; null for none. */
  Object request();

  /** All cells of a row with a timestamp, whatever hides them. */
  List<Cell> cells(byte[] row, long timestamp) throws IOException;

  /** The cell that decides a condition, without its value; empty if it is that there is none. */
  Optional<Cell> decider(CheckAndMutate conditional) throws IOException;

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
      public List<Cell> cells(byte[] row, long timestamp) throws IOException {
        List<Cell> cells = new ArrayList<>();
        Get same = new Get(row).readAllVersions().setTimestamp(timestamp);
        try (RegionScanner scanner = region.getScanner(new Scan(same).setRaw(true))) {
          boolean more;
          do {
            more = scanner.next(cells);
          } while (more);
        }
        return cells;
      }

      @Override
      public Optional<Cell> decider(CheckAndMutate conditional) throws IOException {
        List<Cell> cells = new ArrayList<>(1);
        try (RegionScanner scanner = region.getScanner(new Scan(read(conditional)))) {
          scanner.next(cells);
          return cells.stream().findFirst().map(KeyValueUtil::toNewKeyCell);
        }
      }
    };
  }

  /** What HBase reads for a condition, of which the first cell decides. */
  private static Get read(CheckAndMutate conditional) throws IOException {
    TimeRange range = conditional.getTimeRange();
    Get get = new Get(conditional.getRow()).setTimeRange(range.getMin(), range.getMax());
    return conditional.hasFilter()
        ? get.setFilter(conditional.getFilter())
        : get.addColumn(conditional.getFamily(), conditional.getQualifier());
  }
}
