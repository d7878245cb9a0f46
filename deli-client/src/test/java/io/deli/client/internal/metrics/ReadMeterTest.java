package io.deli.client.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class ReadMeterTest {
  private final MetricRegistry registry = new MetricRegistry();
  private final ReadMeter meter = new ReadMeter(registry, true);

  private static Index index(int table) {
    return Index.of(
        TableName.valueOf("t" + table), IndexDefinition.on("by_user", Column.parse("d:user")));
  }

  /** As of tables that are created, read and dropped, while a connection stays. */
  @Test
  void metricsAreKeptOfTheIndexesReadLast() {
    int all = 2_000;
    Index often = index(0);
    for (int i = 1; i < all; i++) {
      meter.answered(Set.of(index(i)), 1);
      meter.read(often, 2, 1);
    }
    assertThat(registry.getNames()).hasSizeLessThan(all);
    assertThat(registry.getTimers().get("query t%d by_user".formatted(all - 1)).getCount())
        .isEqualTo(1);
    assertThat(registry.getTimers().get("query").getCount()).isEqualTo(all - 1);
    assertThat(registry.getCounters().get("entriesRead t0 by_user").getCount())
        .isEqualTo(2L * (all - 1));
    Index former = index(1);
    meter.answered(Set.of(former), 1);
    assertThat(registry.getTimers().get("query t1 by_user").getCount()).isEqualTo(1);
  }
}
