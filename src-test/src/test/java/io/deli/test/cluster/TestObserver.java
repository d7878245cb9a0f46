package io.deli.test.cluster;

import java.util.Optional;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/** A coprocessor that observes regions, and does nothing else. */
public interface TestObserver extends RegionCoprocessor, RegionObserver {
  @Override
  default Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }
}
