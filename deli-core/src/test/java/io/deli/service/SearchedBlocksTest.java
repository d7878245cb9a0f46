package io.deli.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics;
import org.junit.jupiter.api.Test;

class SearchedBlocksTest {
  @Test
  void travelInTheMetricsOfAScan() {
    ServerSideScanMetrics metrics = new ServerSideScanMetrics();
    new SearchedBlocks(2, 3).addTo(metrics);
    new SearchedBlocks(1, 1).addTo(metrics);
    assertThat(SearchedBlocks.of(metrics.getMetricsMap()))
        .as("ServerSideScanMetrics.createCounter is gone: no blocks are counted")
        .isEqualTo(new SearchedBlocks(3, 4));
  }

  /** As on an HBase whose metrics take no new ones. */
  @Test
  void areNotCountedInMetricsWithoutThem() {
    ServerSideScanMetrics metrics = new ServerSideScanMetrics();
    metrics.addToCounter("DELI_BLOCKS_READ", 1);
    assertThat(metrics.hasCounter("DELI_BLOCKS_READ")).isFalse();
    assertThat(SearchedBlocks.of(Map.of())).isEqualTo(new SearchedBlocks(0, 0));
  }
}
