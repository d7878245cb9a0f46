package io.deli.test.toy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.strategy.StrategyContract;
import io.deli.test.tools.Cli;
import io.deli.test.tools.Cli.Outcome;
import java.io.IOException;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** That its settings and costs are known follows from the strategy alone. */
class ToyStrategyTest extends StrategyContract {
  private static final Column COLUMN = Column.parse("f:q");
  private static final String INDEX = "i";
  private static final int ROWS = 300;

  /** A row key of five bytes, a timestamp, their lengths. */
  private static final int LEAST_POSTING = 7;

  @Override
  protected String strategy() {
    return ToyStrategy.NAME;
  }

  private static TableName indexed(String strategy) throws IOException {
    TableName name = MiniCluster.uniqueTable(strategy);
    MiniCluster.utility().createTable(name, COLUMN.family());
    DeliAdmin.of(MiniCluster.connection())
        .createIndex(name, IndexDefinition.on(INDEX, COLUMN).withStrategy(strategy));
    try (DeliConnection connection = MiniCluster.connect();
        Table table = connection.getTable(name)) {
      table.put(
          IntStream.range(0, ROWS)
              .mapToObj(
                  i ->
                      new Put(Bytes.toBytes("r%04d".formatted(i)))
                          .addColumn(COLUMN.family(), COLUMN.qualifier(), Bytes.toBytes("v")))
              .toList());
    }
    return name;
  }

  private static Cell[] compactedList(TableName base) throws IOException {
    TableName lists = IndexDefinitions.indexTable(base, INDEX);
    MiniCluster.utility().flush(lists);
    MiniCluster.utility().compact(lists, true);
    try (Table table = MiniCluster.connection().getTable(lists);
        ResultScanner rows = table.getScanner(new Scan().readAllVersions())) {
      Result list = rows.next();
      assertThat(rows.next()).isNull();
      return list.rawCells();
    }
  }

  @Test
  void listsAreCutWhereItsOwnSettingSays() throws IOException {
    int bytes = ToyStrategy.CELL_BYTES.fallback();
    assertThat(compactedList(indexed("lazy"))).hasSize(1);
    assertThat(compactedList(indexed(strategy())))
        .hasSizeGreaterThan(ROWS * LEAST_POSTING / bytes)
        .allSatisfy(cell -> assertThat(cell.getValueLength()).isLessThanOrEqualTo(bytes));
  }

  @Test
  void adviceTellsItsCosts() throws IOException {
    Outcome advice =
        new Cli("--zookeeper", MiniCluster.zooKeeper())
            .run("advise", indexed(strategy()).getNameAsString(), "--column", "f:q");
    assertThat(advice.code()).as(advice.err()).isZero();
    assertThat(advice.out()).containsPattern("(?m)^ toy +\\| +2 \\|");
  }
}
