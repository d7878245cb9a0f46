package io.deli.client.internal.read;

import static org.apache.hadoop.hbase.client.metrics.ScanMetrics.BYTES_IN_RESULTS_METRIC_NAME;
import static org.apache.hadoop.hbase.client.metrics.ScanMetrics.RPC_CALLS_METRIC_NAME;
import static org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics.BLOCK_READ_OPS_COUNT_METRIC_NAME;
import static org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics.BYTES_READ_FROM_BLOCK_CACHE_METRIC_NAME;
import static org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics.BYTES_READ_FROM_FS_METRIC_NAME;
import static org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics.BYTES_READ_FROM_MEMSTORE_METRIC_NAME;
import static org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics.COUNT_OF_ROWS_FILTERED_KEY_METRIC_NAME;
import static org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics.COUNT_OF_ROWS_SCANNED_KEY_METRIC_NAME;

import io.deli.client.Explanation.Reads;
import io.deli.client.Explanation.ServerReads;
import io.deli.client.internal.read.Verifier.Verdict;
import io.deli.service.SearchedBlocks;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/** Counts what one run of a query reads: scans by HBase's own metrics. Thread-safe. */
final class Tally implements Requests {
  private final AsyncConnection connection;
  private final Map<String, Long> scans = new ConcurrentHashMap<>();
  private final Set<CountedScan> running = ConcurrentHashMap.newKeySet();
  private final LongAdder getRequests = new LongAdder();
  private final LongAdder bytesGot = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final LongAdder hits = new LongAdder();

  Tally(AsyncConnection connection) {
    this.connection = connection;
  }

  @Override
  public CompletableFuture<List<Result>> scanAll(TableName table, Scan scan) {
    ScanAnswer all = ScanAnswer.all();
    scan(table, scan, all);
    return all.results();
  }

  @Override
  public void scan(TableName table, Scan scan, AdvancedScanResultConsumer consumer) {
    connection.getTable(table).scan(scan.setScanMetricsEnabled(true), new CountedScan(consumer));
  }

  /** Adds what a scan took when it has ended, which may be after its results were taken. */
  private final class CountedScan implements AdvancedScanResultConsumer {
    private final AdvancedScanResultConsumer consumer;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private ScanMetrics metrics;

    CountedScan(AdvancedScanResultConsumer consumer) {
      this.consumer = consumer;
      running.add(this);
    }

    @Override
    public void onScanMetricsCreated(ScanMetrics created) {
      metrics = created;
      SearchedBlocks.expectIn(created);
    }

    @Override
    public void onNext(Result[] results, ScanController controller) {
      consumer.onNext(results, controller);
    }

    @Override
    public void onHeartbeat(ScanController controller) {
      consumer.onHeartbeat(controller);
    }

    @Override
    public void onError(Throwable error) {
      end();
      consumer.onError(error);
    }

    @Override
    public void onComplete() {
      end();
      consumer.onComplete();
    }

    private void end() {
      metrics.getMetricsMap().forEach((name, value) -> scans.merge(name, value, Long::sum));
      running.remove(this);
      ended.complete(null);
    }
  }

  @Override
  public CompletableFuture<List<Result>> get(TableName table, List<Get> gets) {
    AsyncTable<?> rows = connection.getTable(table);
    List<CompletableFuture<HRegionLocation>> places =
        gets.stream().map(get -> rows.getRegionLocator().getRegionLocation(get.getRow())).toList();
    return all(places)
        .thenCompose(
            located -> {
              getRequests.add(
                  places.stream().map(place -> place.join().getServerName()).distinct().count());
              return rows.getAll(gets);
            })
        .thenApply(
            results -> {
              results.forEach(row -> bytesGot.add(Result.getTotalSizeOfCells(row)));
              return results;
            });
  }

  @Override
  public CompletableFuture<RegionInfo> region(TableName table, byte[] row) {
    return Requests.of(connection).region(table, row);
  }

  /** A verifier that has the pages counted that it verifies. */
  Function<EntryPage, CompletableFuture<Verdict>> counting(Verifier verifier) {
    return page ->
        verifier
            .verify(page)
            .thenApply(
                verdict -> {
                  entries.add(page.entries());
                  stale.add(verdict.suspects().size());
                  return verdict;
                });
  }

  /** Counts the hits of a page; whether there may be more. */
  boolean goesOnBehind(HitPage page) {
    hits.add(page.hits().size());
    return !page.last();
  }

  /** What was read, once nothing is under way any more. */
  CompletableFuture<Reads> reads() {
    return all(running.stream().map(scan -> scan.ended).toList())
        .thenApply(
            ended ->
                new Reads(
                    scans(RPC_CALLS_METRIC_NAME),
                    getRequests.sum(),
                    entries.sum(),
                    stale.sum(),
                    hits.sum(),
                    scans(BYTES_IN_RESULTS_METRIC_NAME) + bytesGot.sum(),
                    byServers()));
  }

  private ServerReads byServers() {
    SearchedBlocks searched = SearchedBlocks.of(scans);
    return new ServerReads(
        scans(COUNT_OF_ROWS_SCANNED_KEY_METRIC_NAME),
        scans(COUNT_OF_ROWS_FILTERED_KEY_METRIC_NAME),
        scans(BLOCK_READ_OPS_COUNT_METRIC_NAME),
        scans(BYTES_READ_FROM_FS_METRIC_NAME),
        scans(BYTES_READ_FROM_BLOCK_CACHE_METRIC_NAME),
        scans(BYTES_READ_FROM_MEMSTORE_METRIC_NAME),
        searched.read(),
        searched.skipped());
  }

  private long scans(String metric) {
    return scans.getOrDefault(metric, 0L);
  }

  private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
  }
}
