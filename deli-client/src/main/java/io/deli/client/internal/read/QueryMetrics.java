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
import io.deli.client.ValueQuery;
import io.deli.client.internal.Futures;
import io.deli.client.internal.metrics.ReadMeter;
import io.deli.client.internal.read.Verifier.Verdict;
import io.deli.service.SearchedBlocks;
import io.deli.strategy.Index;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * Counts what one run of a query reads and finds, and measures how long its pages are waited for,
 * without the time that the caller spends between them. Thread-safe.
 */
final class QueryMetrics implements TableReader {
  private final TableReader reader;
  private final LongAdder scans = new LongAdder();
  private final LongAdder multiGets = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private final LongAdder pages = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final LongAdder hits = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  /**
   * @param reader executes the requests
   */
  QueryMetrics(TableReader reader) {
    this.reader = reader;
  }

  @Override
  public CompletableFuture<List<Result>> scanServers(TableName table, Scan scan) {
    scans.increment();
    return reader.scanServers(table, scan);
  }

  @Override
  public void scan(TableName table, Scan scan, ScanCollector collector) {
    scans.increment();
    reader.scan(table, scan, collector);
  }

  @Override
  public CompletableFuture<List<Result>> get(TableName table, List<Get> gets) {
    multiGets.increment();
    rows.add(gets.size());
    return reader.get(table, gets);
  }

  /** Counts the entries of a page that was verified. */
  void count(EntryPage page, Verdict verdict) {
    pages.increment();
    entries.add(page.entries());
    stale.add(verdict.suspects().size());
  }

  /** Counts the hits of a page; returns whether another page may follow. */
  boolean countHits(HitPage page) {
    hits.add(page.hits().size());
    return !page.last();
  }

  /** Returns what was read, once all scans of the reader have ended. */
  CompletableFuture<Reads> reads(DetailedReader detailed) {
    return detailed.reads(entries.sum(), stale.sum(), hits.sum());
  }

  @Override
  public String toString() {
    return "%d pages, %d scans, %d multi-Gets of %d rows, %d entries, %d stale, %d hits"
        .formatted(
            pages.sum(),
            scans.sum(),
            multiGets.sum(),
            rows.sum(),
            entries.sum(),
            stale.sum(),
            hits.sum());
  }

  /** Reports the pages of a run to the meter and the slow-query log. */
  HitPages metered(
      HitPages run, QueryPlan plan, ValueQuery query, ReadMeter meter, SlowQueryLog slow) {
    AtomicBoolean ended = new AtomicBoolean();
    return new HitPages() {
      @Override
      public CompletableFuture<HitPage> next() {
        long begun = System.nanoTime();
        return run.next()
            .whenComplete(
                (page, error) -> {
                  nanos.add(System.nanoTime() - begun);
                  if (error != null) {
                    fail(error);
                  } else if (!countHits(page)) {
                    close();
                  }
                });
      }

      private void fail(Throwable error) {
        if (ended.compareAndSet(false, true)) {
          meter.failed();
          // Without the message, which may contain values; the caller has it.
          String kind = Futures.unwrap(error).getClass().getSimpleName();
          slow.ended(plan, query, nanos.sum(), QueryMetrics.this + ", failed: " + kind);
        }
      }

      @Override
      public void close() {
        if (ended.compareAndSet(false, true)) {
          Set<Index> indexes =
              plan.conjunctions().stream().map(Conjunction::index).collect(Collectors.toSet());
          meter.answered(indexes, nanos.sum());
          slow.ended(plan, query, nanos.sum(), QueryMetrics.this);
        }
      }
    };
  }

  /** Reads with HBase's scan metrics on, to explain a query. */
  static final class DetailedReader implements TableReader {
    private final ReadTables tables;
    private final Map<String, Long> scans = new ConcurrentHashMap<>();
    private final Set<CountedScan> running = ConcurrentHashMap.newKeySet();
    private final LongAdder getRequests = new LongAdder();
    private final LongAdder bytesGot = new LongAdder();

    DetailedReader(ReadTables tables) {
      this.tables = tables;
    }

    @Override
    public void scan(TableName table, Scan scan, ScanCollector collector) {
      tables.open(table).scan(scan.setScanMetricsEnabled(true), new CountedScan(collector));
    }

    /** Adds up the metrics of a scan at its end, which may be after its results were delivered. */
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
        consumer.onScanMetricsCreated(created);
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
        metrics.getMetricsMap(false).forEach((name, value) -> scans.merge(name, value, Long::sum));
        running.remove(this);
        ended.complete(null);
      }
    }

    @Override
    public CompletableFuture<List<Result>> get(TableName table, List<Get> gets) {
      return tables
          .get(table, gets)
          .thenCompose(
              results -> {
                results.forEach(row -> bytesGot.add(Result.getTotalSizeOfCells(row)));
                return countServers(table, gets).thenApply(counted -> results);
              });
    }

    /** Counts no servers if the rows, which are there, cannot be located. */
    private CompletableFuture<Void> countServers(TableName table, List<Get> gets) {
      List<CompletableFuture<HRegionLocation>> places =
          gets.stream().map(get -> tables.locate(table, get.getRow())).toList();
      return Futures.all(places)
          .thenAccept(
              located ->
                  getRequests.add(
                      places.stream()
                          .map(place -> place.join().getServerName())
                          .distinct()
                          .count()))
          .exceptionally(error -> null);
    }

    private CompletableFuture<Reads> reads(long entries, long stale, long hits) {
      return Futures.all(running.stream().map(scan -> scan.ended).toList())
          .thenApply(
              ended ->
                  new Reads(
                      scans(RPC_CALLS_METRIC_NAME),
                      getRequests.sum(),
                      entries,
                      stale,
                      hits,
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
  }
}
