package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.tools.Cli;
import io.deli.test.tools.Cli.Outcome;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

/** That its costs are known follows from the strategy alone. */
class ForeignStrategyTest extends StrategyContract {
  @Override
  protected String strategy() {
    return ForeignStrategy.NAME;
  }

  @Test
  void adviceTellsItsCosts() throws IOException {
    TestTable advised = TestTable.create("advised", 1);
    try (Table table = advised.table()) {
      table.put(TestTable.put("row", "value"));
    }
    Outcome advice =
        new Cli("--zookeeper", MiniCluster.zooKeeper())
            .run("advise", advised.name().getNameAsString(), "--column", "f:q");
    assertThat(advice.code()).as(advice.err()).isZero();
    assertThat(advice.out()).containsPattern("(?m)^ foreign +\\| +2 \\|");
  }
}
