package io.deli.test.cluster;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;

/** A coprocessor that observes regions, and may change what compactions read. */
public interface TestObserver extends RegionCoprocessor, RegionObserver {
  @Override
  default Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  /** Replaces the scanner that a compaction is to read. */
  default InternalScanner compacted(InternalScanner scanner) {
    return scanner;
  }

  @Override
  default InternalScanner preCompact(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      InternalScanner scanner,
      ScanType type,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request)
      throws IOException {
    return compacted(scanner);
  }
}
