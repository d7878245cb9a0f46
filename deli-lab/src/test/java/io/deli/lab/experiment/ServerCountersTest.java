package io.deli.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.experiment.Meter.ServerCounters;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What HBase prints for Prometheus is read right. */
class ServerCountersTest {
  @Test
  void sumsServersAndLeavesOtherCountersOut() {
    ServerCounters counters =
        ServerCounters.of(
            List.of(
                "server_block_cache_hit_count{servername=\"a,1,2\",context=\"regionserver\"} 40",
                "server_block_cache_hit_count_primary{servername=\"a,1,2\"} 40",
                "server_block_cache_miss_count{servername=\"a,1,2\"} 2",
                "server_block_cache_hit_count{servername=\"b,1,2\"} 1.5E7",
                "server_block_cache_data_miss_count{servername=\"b,1,2\"} 9",
                "server_flushed_output_bytes{servername=\"b,1,2\"} 300",
                "server_compacted_output_bytes{servername=\"b,1,2\"} 500",
                "server_major_compacted_output_bytes{servername=\"b,1,2\"} 400"));
    assertThat(counters).isEqualTo(new ServerCounters(15_000_040, 2, 300, 500));
    ServerCounters since = counters.since(new ServerCounters(15_000_000, 1, 100, 400));
    assertThat(since).isEqualTo(new ServerCounters(40, 1, 200, 100));
    assertThat(since.blocks()).isEqualTo(41);
  }
}
