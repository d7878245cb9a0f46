package io.deli.test.strategy;

import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.strategy.ScannedTable.row;
import static io.deli.test.strategy.ScannedTable.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.Explanation.ServerReads;
import io.deli.client.ValueQuery;
import io.deli.test.strategy.ScannedTable.Metric;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An explanation has the blocks that region servers search and leave out for the query. */
class ExplainedBlocksTest {
  private static final int ROWS = 1_000;

  @ParameterizedTest
  @ValueSource(strings = {"embedded", "next"})
  void areThoseThatTheServersCount(String strategy) throws IOException {
    try (ScannedTable table = ScannedTable.create(strategy, "explained", row(ROWS / 2))) {
      table.load(ROWS, i -> i % 2 == 0, i -> value(i % 100));
      table.load(ROWS, i -> i % 2 == 1, i -> value(i % 100));
      ValueQuery.Target on = ValueQuery.on(INDEX);
      for (ValueQuery query :
          List.of(
              on.equalTo(value(7)),
              on.equalTo(value(7)).limit(3),
              on.equalTo(value(7)).mostRecent(2),
              on.between(value(10), value(12)),
              on.equalTo(value(101)))) {
        int hits = table.find(query).size();
        long read = Metric.READ.now();
        long skipped = Metric.SKIPPED.now();
        ServerReads servers = table.table().explain(query).reads().servers();
        assertThat(servers.blocksRead()).as("%s", query).isEqualTo(Metric.READ.now() - read);
        assertThat(servers.blocksSkipped()).isEqualTo(Metric.SKIPPED.now() - skipped);
        assertThat(servers.blocksSkipped()).isPositive();
        assertThat(servers.blocksRead() > 0).isEqualTo(hits > 0);
      }
    }
  }
}
