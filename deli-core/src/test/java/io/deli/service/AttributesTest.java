package io.deli.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.junit.jupiter.api.Test;

/** What travels in HBase's own messages. */
class AttributesTest {
  private static Put put() {
    return new Put(new byte[] {1});
  }

  @Test
  void aDrawnTimestamp_comesWithItsMutation() {
    for (boolean atomic : new boolean[] {false, true}) {
      for (boolean repeated : new boolean[] {false, true}) {
        DrawnTimestamp drawn = new DrawnTimestamp(1_234_567_890_123L, atomic, repeated);
        Put put = put();
        drawn.setOn(put);
        assertThat(DrawnTimestamp.of(put)).hasValue(drawn);
      }
    }
  }

  @Test
  void aMutation_withoutATimestampInThisFormat_hasNone() {
    assertThat(DrawnTimestamp.of(put())).isEmpty();
    assertThat(DrawnTimestamp.of(put().setAttribute("deli.t", new byte[8]))).isEmpty();
  }

  @Test
  void aRefusal_isReadInAnyTextThatHoldsIt() {
    TimestampRefusal refusal = new TimestampRefusal(-7, 1_234_567_890_123L);
    String told = "server x: " + refusal.toMessage("row 'r' has newer") + "\n\tat some.Place";
    assertThat(told).contains("row 'r' has newer");
    assertThat(TimestampRefusal.of(new FailedSanityCheckException(told))).hasValue(refusal);
    assertThat(refusal.after(5)).isEqualTo(new TimestampRefusal(-7, 1_234_567_890_128L));
  }

  @Test
  void anotherFailure_isNoRefusal() {
    String told = new TimestampRefusal(1, 2).toMessage("refused");
    assertThat(TimestampRefusal.of(new IOException(told))).isEmpty();
    assertThat(TimestampRefusal.of(new FailedSanityCheckException("no such family"))).isEmpty();
    assertThat(TimestampRefusal.of(new FailedSanityCheckException())).isEmpty();
  }

  @Test
  void searchedBlocks_areAddedUp() {
    ServerSideScanMetrics metrics = new ServerSideScanMetrics();
    assertThat(SearchedBlocks.of(metrics.getMetricsMap(false))).isEqualTo(new SearchedBlocks(0, 0));
    new SearchedBlocks(1, 2).addTo(metrics);
    new SearchedBlocks(10, 20).addTo(metrics);
    assertThat(SearchedBlocks.of(metrics.getMetricsMap(false)))
        .isEqualTo(new SearchedBlocks(11, 22));
  }

  @Test
  void metrics_takeWhatAServerTellsOnlyIfTheyExpectIt() {
    ServerSideScanMetrics metrics = new ServerSideScanMetrics();
    SearchedBlocks.expectIn(metrics);
    assertThat(metrics.getMetricsMap(false)).containsValue(0L).hasSizeGreaterThan(2);
    assertThat(metrics.hasCounter("DELI_BLOCKS_READ")).isTrue();
    assertThat(metrics.hasCounter("DELI_BLOCKS_SKIPPED")).isTrue();
  }
}
