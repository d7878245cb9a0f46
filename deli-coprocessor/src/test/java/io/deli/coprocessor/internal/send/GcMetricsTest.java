package io.deli.coprocessor.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.junit.jupiter.api.Test;

class GcMetricsTest {
  /** A server's only region with indexes is reopened when its table is altered. */
  @Test
  void aRegistryIsTheSameWhenItsOnlyRegionIsReopened() {
    MetricRegistryInfo info = new MetricRegistryInfo("reopened", "r", "r", "r", false);
    MetricRegistry first = GcMetrics.kept(MetricRegistries.global().create(info));
    MetricRegistries.global().remove(info);
    assertThat(MetricRegistries.global().create(info)).isSameAs(first);
  }
}
