package io.deli.test.gc;

import io.deli.test.cluster.TestObserver;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;

/** A coprocessor that has flushes and compactions keep all, as one for transactions would. */
public final class RetainingObserver implements TestObserver {
  @Override
  public void preFlushScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      ScanOptions options,
      FlushLifeCycleTracker tracker) {
    retain(options);
  }

  @Override
  public void preCompactScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      ScanType type,
      ScanOptions options,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    retain(options);
  }

  private static void retain(ScanOptions options) {
    options.readAllVersions();
    options.setTTL(Long.MAX_VALUE);
    options.setKeepDeletedCells(KeepDeletedCells.TRUE);
  }
}
