package io.deli.client.internal.read;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/** Collects the results of a scan. */
final class ScanCollector implements AdvancedScanResultConsumer {
  private final boolean first;
  private Optional<ScanMetrics> metrics = Optional.empty();
  private BooleanSupplier closed = () -> false;
  private boolean one;
  private final List<Result> brought = new ArrayList<>();
  private final CompletableFuture<List<Result>> results = new CompletableFuture<>();

  private ScanCollector(boolean first) {
    this.first = first;
  }

  /** Returns a collector of all results. */
  static ScanCollector all() {
    return new ScanCollector(false);
  }

  /** Returns a collector of the first response only, which may be empty. */
  static ScanCollector first() {
    return new ScanCollector(true);
  }

  /** Has the scan end, and fail, with the response that comes once a query is closed. */
  ScanCollector until(BooleanSupplier closedNow) {
    closed = closedNow;
    return this;
  }

  /** The failure of what is asked for a query that was closed. */
  static CancellationException cancelled() {
    return new CancellationException("the query was closed");
  }

  CompletableFuture<List<Result>> results() {
    return results;
  }

  /** Whether the results, if metrics were asked for, took no more than one request. */
  boolean tookOneRequest() {
    return one;
  }

  /** Counts before the scan is closed, which may be one more request. */
  private void count() {
    one =
        metrics
            .map(counted -> counted.getMetricsMap(false).get(ScanMetrics.RPC_CALLS_METRIC_NAME))
            .filter(requests -> requests == 1)
            .isPresent();
  }

  @Override
  public void onScanMetricsCreated(ScanMetrics created) {
    metrics = Optional.of(created);
  }

  @Override
  public void onNext(Result[] next, ScanController controller) {
    Collections.addAll(brought, next);
    if (first) {
      count();
      controller.terminate();
      results.complete(brought);
    } else {
      onHeartbeat(controller);
    }
  }

  @Override
  public void onHeartbeat(ScanController controller) {
    if (closed.getAsBoolean()) {
      controller.terminate();
      results.completeExceptionally(cancelled());
    }
  }

  @Override
  public void onError(Throwable error) {
    results.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    if (!results.isDone()) {
      count();
      results.complete(brought);
    }
  }
}
