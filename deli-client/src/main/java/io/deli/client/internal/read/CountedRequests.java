package io.deli.client.internal.read;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/** Counts the requests of one run, at no cost to servers. Thread-safe. */
final class CountedRequests implements Requests {
  private final Requests requests;
  private final LongAdder scans = new LongAdder();
  private final LongAdder multiGets = new LongAdder();
  private final LongAdder rows = new LongAdder();

  CountedRequests(Requests requests) {
    this.requests = requests;
  }

  @Override
  public CompletableFuture<List<Result>> scanAll(TableName table, Scan scan) {
    scans.increment();
    return requests.scanAll(table, scan);
  }

  @Override
  public void scan(TableName table, Scan scan, AdvancedScanResultConsumer consumer) {
    scans.increment();
    requests.scan(table, scan, consumer);
  }

  @Override
  public CompletableFuture<List<Result>> get(TableName table, List<Get> gets) {
    multiGets.increment();
    rows.add(gets.size());
    return requests.get(table, gets);
  }

  @Override
  public CompletableFuture<RegionInfo> region(TableName table, byte[] row) {
    return requests.region(table, row);
  }

  @Override
  public String toString() {
    return "%d scans, %d multi-Gets of %d rows".formatted(scans.sum(), multiGets.sum(), rows.sum());
  }
}
