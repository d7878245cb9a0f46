package io.deli.coprocessor.internal.endpoint;

import static java.util.Comparator.comparing;
import static org.apache.hadoop.hbase.util.Bytes.BYTES_COMPARATOR;

import io.deli.coprocessor.spi.Caller;
import io.deli.query.TokenRange;
import io.deli.service.ServerScan;
import io.deli.service.ServerScan.Answer;
import io.deli.service.ServerScan.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Scans the regions of a table that a server has, one after the other, with the hooks that a scan
 * by HBase's client would meet. Used once, by one thread.
 *
 * <p>A region that fails ends the scan where it is, and the client, which asks it by itself then,
 * learns why; only the first one's error is the answer, and of several scans none's.
 */
public final class ServerScanner {
  // Longer than most lookups take.
  private static final long PIECE_MILLIS = 100;

  /** For how long the scans of one request may wait for each other. */
  private static final long TOGETHER_MILLIS = 5;

  /** Bytes of memory that a range of the answer takes besides its keys and cells. */
  private static final long RANGE_BYTES = 400;

  private final ServerScan asked;
  private final long mostBytes;
  private final long end;
  private final List<Rows> answer = new ArrayList<>();
  private Optional<RegionScan> alike = Optional.empty();
  private int rows;
  private long bytes;
  private boolean ended;
  private Optional<IOException> failure = Optional.empty();

  private ServerScanner(ServerScan asked, long mostBytes, long end) {
    this.asked = asked;
    this.mostBytes = mostBytes;
    this.end = end;
  }

  /** Carries out scans, as far as they get before one keeps the others waiting for long. */
  public static Answer scan(RegionCoprocessorEnvironment env, List<ServerScan> asked)
      throws IOException {
    long begun = System.nanoTime();
    Configuration configuration = env.getConfiguration();
    long mostBytes =
        configuration.getLong(
            HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY,
            HConstants.DEFAULT_HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE);
    long patience =
        configuration.getLong(
            HConstants.HBASE_RPC_TIMEOUT_KEY, HConstants.DEFAULT_HBASE_RPC_TIMEOUT);
    // As of HBase's scans: what is left of the client's patience then brings the answer.
    long millis = Caller.patience(patience) / 2;
    long end =
        EnvironmentEdgeManager.currentTime()
            + (asked.size() > 1 ? Math.min(millis, TOGETHER_MILLIS) : millis);
    List<ServerScanner> scanners =
        asked.stream().map(each -> new ServerScanner(each, mostBytes / asked.size(), end)).toList();
    // Region by region: what is known of one is in the processor's cache then.
    for (HRegion region : regions(env)) {
      for (ServerScanner scanner : scanners) {
        // The client asks for the rest again.
        scanner.ended |= asked.size() > 1 && !scanner.isInTime();
        scanner.scan(region);
      }
    }
    if (asked.size() == 1) {
      scanners.get(0).requireAnswer();
    }
    List<List<Rows>> found = scanners.stream().map(scanner -> scanner.answer).toList();
    return new Answer(found, System.nanoTime() - begun);
  }

  /** The regions of the table that the server has, in order. */
  private static List<HRegion> regions(RegionCoprocessorEnvironment env) throws IOException {
    List<HRegion> regions = new ArrayList<>();
    for (Region each : env.getOnlineRegions().getRegions(env.getRegionInfo().getTable())) {
      if (each.getRegionInfo().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID) {
        regions.add((HRegion) each);
      }
    }
    regions.sort(comparing(region -> region.getRegionInfo().getStartKey(), BYTES_COMPARATOR));
    return regions;
  }

  private void scan(HRegion region) {
    for (Rows range : asked.ranges()) {
      byte[] start = max(region.getRegionInfo().getStartKey(), range.start());
      byte[] stop = min(region.getRegionInfo().getEndKey(), range.stop());
      if (!ended && (stop.length == 0 || Bytes.compareTo(start, stop) < 0)) {
        try {
          ended = !scan(region, start, stop);
        } catch (IOException | RuntimeException e) {
          ended = true;
          failure = Optional.of(e instanceof IOException io ? io : new DoNotRetryIOException(e));
        }
      }
    }
  }

  private void requireAnswer() throws IOException {
    if (answer.isEmpty() && failure.isPresent()) {
      throw failure.get();
    }
  }

  /** Returns whether there is room for more. */
  private boolean scan(HRegion region, byte[] start, byte[] stop) throws IOException {
    Scan scan = next().withStartRow(start).withStopRow(stop);
    RegionCoprocessorHost hooks = region.getCoprocessorHost();
    hooks.preScannerOpen(scan);
    if (scan.getFilter() != null && scan.getFilter().filterAllRemaining()) {
      // To open HBase's scanners is the most that a region without hits costs.
      add(start, stop, List.of());
      return hasRoom();
    }
    // It ends any way: the region holds back what it could see for as long as it is open. By the
    // interface: what the class returns is not public in HBase 2.5.
    try (RegionScanner own = ((Region) region).getScanner(scan)) {
      RegionScanner scanner = hooks.postScannerOpen(scan, own);
      // Now only: to open a scanner is an operation of its own, and ends the thread's.
      region.startRegionOperation(Operation.SCAN);
      try {
        return read(hooks, scanner, (Shipper) own, start, stop);
      } finally {
        region.closeRegionOperation(Operation.SCAN);
        close(hooks, scanner);
      }
    }
  }

  /** Returns a new scan; what hooks set in one does not show in another. */
  private Scan next() throws IOException {
    if (alike.isEmpty()) {
      alike = Optional.of(new RegionScan(asked.scan()));
    }
    Scan next = new RegionScan(alike.get());
    if (asked.template().hasFilter()) {
      // It has a state.
      next.setFilter(asked.scan().getFilter());
    }
    return next;
  }

  private static void close(RegionCoprocessorHost hooks, RegionScanner scanner) throws IOException {
    if (!hooks.preScannerClose(scanner)) {
      scanner.close();
      hooks.postScannerClose(scanner);
    }
  }

  /**
   * Reads a range in pieces, as HBase does for a client's scan, and frees the blocks of each piece
   * behind it: of rows that are left out, there may be any number.
   *
   * @return whether there is room for more
   */
  private boolean read(
      RegionCoprocessorHost hooks, RegionScanner scanner, Shipper blocks, byte[] start, byte[] stop)
      throws IOException {
    byte[] from = start;
    while (hasRoom()) {
      List<Result> found = new ArrayList<>();
      int room = asked.limit() - rows;
      boolean bypassed = Boolean.TRUE.equals(hooks.preScannerNext(scanner, found, room));
      boolean more = bypassed || fill(scanner, found, room);
      if (!bypassed) {
        hooks.postScannerNext(scanner, found, room, more);
      }
      rows += found.size();
      Optional<byte[]> behind =
          found.isEmpty()
              ? Optional.of(from)
              : TokenRange.behindRow(found.get(found.size() - 1).getRow());
      // Behind the greatest key of all there is nothing, whatever the scanner says.
      if (!more || behind.isEmpty()) {
        add(from, stop, found);
        return hasRoom();
      }
      if (!found.isEmpty()) {
        add(from, behind.get(), found);
        from = behind.get();
      }
      if (bypassed) {
        return false;
      }
      blocks.shipped();
    }
    return false;
  }

  /** Returns whether there may be more rows than were found. */
  private boolean fill(RegionScanner scanner, List<Result> found, int room) throws IOException {
    long pieceEnd = Math.min(end, EnvironmentEdgeManager.currentTime() + PIECE_MILLIS);
    ScannerContext context =
        ScannerContext.newBuilder().setTimeLimit(LimitScope.BETWEEN_ROWS, pieceEnd).build();
    boolean more = true;
    while (more
        && found.size() < room
        && bytes < mostBytes
        && EnvironmentEdgeManager.currentTime() < pieceEnd) {
      List<Cell> cells = new ArrayList<>();
      more = scanner.nextRaw(cells, context);
      if (!cells.isEmpty()) {
        Result row = Result.create(cells);
        bytes += Result.getTotalSizeOfCells(row);
        found.add(row);
      }
    }
    return more;
  }

  /** Adds what was found to the answer for the range before, if this one begins where that ends. */
  private void add(byte[] start, byte[] stop, List<Result> found) throws IOException {
    Rows rows = Rows.of(start, stop, found);
    int last = answer.size() - 1;
    if (last >= 0 && start.length > 0 && Arrays.equals(answer.get(last).stop(), start)) {
      answer.set(last, answer.get(last).and(rows));
    } else {
      answer.add(rows);
      bytes += RANGE_BYTES + start.length + stop.length;
    }
  }

  /** Whether it may go on to read. */
  private boolean hasRoom() {
    return rows < asked.limit() && bytes < mostBytes && isInTime();
  }

  private boolean isInTime() {
    return EnvironmentEdgeManager.currentTime() < end;
  }

  private static byte[] max(byte[] one, byte[] other) {
    return Bytes.compareTo(one, other) < 0 ? other : one;
  }

  /** The earlier of two stops; an empty one is the last. */
  private static byte[] min(byte[] one, byte[] other) {
    if (one.length == 0 || other.length == 0) {
      return one.length == 0 ? other : one;
    }
    return Bytes.compareTo(one, other) < 0 ? one : other;
  }
}
