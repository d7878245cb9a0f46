package io.deli.coprocessor.internal.servermaintained;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Scan;
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
        Scan same =
            new Scan()
                .withStartRow(row)
                .withStopRow(row, true)
                .setRaw(true)
                .readAllVersions()
                .setTimestamp(timestamp);
        try (RegionScanner scanner = region.getScanner(same)) {
          boolean more;
          do {
            more = scanner.next(cells);
          } while (more);
        }
        return cells;
      }
    };
  }
}
