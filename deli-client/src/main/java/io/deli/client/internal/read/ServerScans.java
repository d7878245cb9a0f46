package io.deli.client.internal.read;

import io.deli.client.internal.Futures;
import io.deli.client.internal.KeyRange;
import io.deli.query.TokenRange;
import io.deli.service.ServerScan;
import io.deli.service.ServerScan.Rows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A scan by one request to each region server, rather than to each region. Used once, by one thread
 * after the other.
 *
 * <p>Servers answer for what they have of the ranges that nobody answered for yet; they are asked
 * until the rows from the first on are complete, up to the scan's limit, wherever regions go
 * meanwhile. Where nobody answers for the first of these, since a region is on its way, or a server
 * fails, takes too long, refuses the request or does not know it, the rest is left to HBase's own
 * scan, whose retries and errors count.
 */
final class ServerScans {
  /** How many servers are asked at a time: each may bring as many rows as are wanted in all. */
  private static final int PARALLEL = 4;

  /** How many regions are located before servers are asked. */
  private static final int LOCATED = 64;

  private final ReadTables tables;
  private final TableName table;
  private final SharedScans.OfConnection shared;
  private final Scan scan;
  private final KeyRange all;
  private final NavigableMap<byte[], Part> known = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  private record Part(KeyRange range, List<Result> rows) {}

  /**
   * @param rows before the first open range
   * @param open what nobody answered for, in order
   */
  private record Progress(List<Result> rows, List<KeyRange> open) {}

  private ServerScans(
      ReadTables tables,
      TableName table,
      SharedScans.OfConnection shared,
      Scan scan,
      byte[] start) {
    this.tables = tables;
    this.table = table;
    this.shared = shared;
    this.scan = scan;
    this.all = new KeyRange(start, scan.getStopRow());
  }

  /** Reads the rows of a scan that goes forwards and has a limit; the scan is changed. */
  static CompletableFuture<List<Result>> rows(
      ReadTables tables, TableName table, SharedScans.OfConnection shared, Scan scan) {
    byte[] start = scan.getStartRow();
    byte[] stop = scan.getStopRow();
    Optional<byte[]> first =
        scan.includeStartRow() ? Optional.of(start) : TokenRange.behindRow(start);
    return first.filter(row -> stop.length == 0 || Bytes.compareTo(row, stop) < 0).isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : new ServerScans(tables, table, shared, scan, first.get()).next();
  }

  private CompletableFuture<List<Result>> next() {
    Progress now = progress();
    int limit = scan.getLimit();
    if (now.open().isEmpty() || now.rows().size() >= limit) {
      return CompletableFuture.completedFuture(
          now.rows().subList(0, Math.min(now.rows().size(), limit)));
    }
    // The server that has it is among those that are asked: others may answer as often as they
    // will.
    byte[] first = now.open().get(0).start();
    return servers(now)
        .thenCompose(servers -> ask(servers, now.open()))
        .thenCompose(asked -> known.containsKey(first) ? next() : rest(now));
  }

  /** The servers to be asked; of a table with few, those that the last scan has found. */
  private CompletableFuture<Map<ServerName, byte[]>> servers(Progress now) {
    boolean isWhole = all.start().length == 0 && all.stop().length == 0;
    Optional<Map<ServerName, byte[]>> last = shared.servers(table);
    if (isWhole && known.isEmpty() && last.isPresent()) {
      return CompletableFuture.completedFuture(last.get());
    }
    if (!known.isEmpty()) {
      shared.forgetServers(table);
    }
    Deque<KeyRange> open = new ArrayDeque<>(now.open());
    return locate(open, new HashMap<>(), LOCATED)
        .thenApply(
            found -> {
              if (isWhole && known.isEmpty() && open.isEmpty()) {
                shared.remember(table, found);
              }
              return found;
            });
  }

  private Progress progress() {
    List<Result> rows = new ArrayList<>();
    List<KeyRange> open = new ArrayList<>();
    byte[] at = all.start();
    for (Part each : known.values()) {
      if (!Bytes.equals(each.range().start(), at)) {
        open.add(new KeyRange(at, each.range().start()));
      }
      if (open.isEmpty()) {
        rows.addAll(each.rows());
      }
      at = each.range().stop();
    }
    if (known.isEmpty() || !Bytes.equals(at, all.stop())) {
      open.add(new KeyRange(at, all.stop()));
    }
    return new Progress(rows, open);
  }

  /**
   * Finds servers that have parts of the ranges, with the first row that each has; where a region
   * has no place for the moment, only those before it.
   */
  private CompletableFuture<Map<ServerName, byte[]>> locate(
      Deque<KeyRange> open, Map<ServerName, byte[]> found, int left) {
    if (open.isEmpty() || found.size() == PARALLEL || left == 0) {
      return CompletableFuture.completedFuture(found);
    }
    KeyRange range = open.pop();
    return tables
        .locate(table, range.start())
        .<Optional<HRegionLocation>>thenApply(Optional::of)
        .exceptionally(error -> Optional.empty())
        .thenCompose(
            place -> {
              if (place.isEmpty()) {
                open.push(range);
                return CompletableFuture.completedFuture(found);
              }
              found.putIfAbsent(place.get().getServerName(), range.start());
              byte[] end = place.get().getRegion().getEndKey();
              if (end.length > 0 && range.contains(end)) {
                open.push(new KeyRange(end, range.stop()));
              }
              return locate(open, found, left - 1);
            });
  }

  private CompletableFuture<Void> ask(Map<ServerName, byte[]> firstRows, List<KeyRange> open) {
    List<Rows> ranges = open.stream().map(range -> new Rows(range.start(), range.stop())).toList();
    ServerScan asked = ServerScan.of(scan, ranges);
    // What becomes of a failure HBase's scan tells, if what the server has is needed.
    List<CompletableFuture<List<Rows>>> answers =
        firstRows.entrySet().stream()
            .map(
                server ->
                    shared
                        .to(server.getKey(), table)
                        .ask(server.getValue(), asked)
                        .exceptionally(error -> List.of()))
            .toList();
    return Futures.all(answers)
        .thenRun(() -> answers.forEach(answer -> answer.join().forEach(this::add)));
  }

  /** Takes an answer, unless a region that moved meanwhile has answered for some of it before. */
  private void add(Rows rows) {
    KeyRange range = new KeyRange(rows.start(), rows.stop());
    Map.Entry<byte[], Part> before = known.floorEntry(range.start());
    Map.Entry<byte[], Part> behind = known.higherEntry(range.start());
    if ((before == null || isUpTo(before.getValue().range().stop(), range.start()))
        && (behind == null || isUpTo(range.stop(), behind.getKey()))) {
      known.put(range.start(), new Part(range, rows.results()));
    }
  }

  private static boolean isUpTo(byte[] stop, byte[] row) {
    return stop.length > 0 && Bytes.compareTo(stop, row) <= 0;
  }

  private CompletableFuture<List<Result>> rest(Progress now) {
    shared.forgetServers(table);
    if (!known.isEmpty()) {
      scan.withStartRow(now.open().get(0).start()).setLimit(scan.getLimit() - now.rows().size());
    }
    return tables
        .scanAll(table, scan)
        .thenApply(
            rows -> {
              now.rows().addAll(rows);
              return now.rows();
            });
  }
}
