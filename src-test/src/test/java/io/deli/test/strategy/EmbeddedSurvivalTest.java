package io.deli.test.strategy;

import static io.deli.test.strategy.ScannedTable.row;
import static io.deli.test.strategy.ScannedTable.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import io.deli.test.strategy.ScannedTable.Metric;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Files that were written without filters are read for them. */
class EmbeddedSurvivalTest extends FileIndexSurvival {
  @Override
  protected String strategy() {
    return "embedded";
  }

  @Test
  void bulkLoadedFilesAreReadForThemOnce() throws Exception {
    assertIndexesServe(table);
    bulkLoad(200, value(0).length);
    long built = Metric.BUILT.now();
    assertServes(table);
    assertThat(table.find(value(10 * ROWS))).containsExactly(row(ROWS));
    assertThat(Metric.BUILT.now() - built).isEqualTo(1);
    assertIndexesServe(table);
  }

  /** Its lookups do not wait for that. */
  @Test
  void aLargeFileIsReadForThemInTheBackground() throws Exception {
    int large = 1 << 10;
    bulkLoad(10 * large, large);
    long built = Metric.BUILT.now();
    long whole = Metric.SEARCHED_WHOLE.now();
    byte[] first = Bytes.padTail(ScannedTable.value(10 * ROWS), large - value(0).length);
    assertThat(table.find(first)).containsExactly(row(ROWS));
    assertThat(Metric.SEARCHED_WHOLE.now()).isGreaterThan(whole);
    MiniCluster.utility()
        .waitFor(PATIENCE_MILLIS, POLL_MILLIS, () -> Metric.BUILT.now() == built + 1);
    whole = Metric.SEARCHED_WHOLE.now();
    assertThat(table.find(first)).containsExactly(row(ROWS));
    assertThat(Metric.SEARCHED_WHOLE.now()).isEqualTo(whole);
  }
}
