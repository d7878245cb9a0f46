package io.deli.client.internal.read;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;

/** Collects the results of a scan. */
final class ScanCollector implements AdvancedScanResultConsumer {
  private final boolean first;
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

  CompletableFuture<List<Result>> results() {
    return results;
  }

  @Override
  public void onNext(Result[] next, ScanController controller) {
    Collections.addAll(brought, next);
    if (first) {
      controller.terminate();
      results.complete(brought);
    }
  }

  @Override
  public void onError(Throwable error) {
    results.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    results.complete(brought);
  }
}
