package io.deli.test.strategy;

import static io.deli.test.strategy.ScannedTable.row;
import static io.deli.test.strategy.ScannedTable.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.MissingInternals;
import io.deli.test.cluster.TestTable;
import io.deli.test.strategy.ScannedTable.Metric;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * On an HBase without anything that DELI finds by its name, indexes of files are right and slow.
 */
class MissingInternalsTest {
  private static final int ROWS = 600;
  private static final int MOVED = 1_000_000;

  @ParameterizedTest
  @ValueSource(strings = {"embedded", "next"})
  void writesAndLookupsAreRight(String strategy) throws Exception {
    MissingInternals.during(() -> writeAndLookUp(strategy));
  }

  private static void writeAndLookUp(String strategy) throws Exception {
    try (ScannedTable table = ScannedTable.create(strategy, "missing")) {
      long loaded = Metric.LOADED.now();
      long built = Metric.BUILT.now();
      long whole = Metric.SEARCHED_WHOLE.now();
      long memory = Metric.MEMORY_SEARCHED_WHOLE.now();
      table.load(ROWS, i -> i % 2 == 0, ScannedTable::value);
      table.load(ROWS, i -> i % 2 == 1, ScannedTable::value);
      assertFinds(table, 0);
      table.write(ROWS, i -> i % 3 == 0, i -> value(MOVED + i));
      assertFinds(table, MOVED);
      table.flush();
      for (HRegion region : MiniCluster.regions(table.name())) {
        region.compact(true);
      }
      assertThat(table.files()).hasSize(1);
      assertFinds(table, MOVED);
      assertThat(Metric.LOADED.now()).as("no file has an index").isEqualTo(loaded);
      assertThat(Metric.MEMORY_SEARCHED_WHOLE.now()).isGreaterThan(memory);
      if (strategy.equals("embedded")) {
        assertThat(Metric.BUILT.now()).as("files are read for theirs").isGreaterThan(built);
      } else {
        assertThat(Metric.SEARCHED_WHOLE.now()).isGreaterThan(whole);
      }
    }
  }

  /**
   * @param moved what was added to the numbers of every third row's value
   */
  private static void assertFinds(ScannedTable table, int moved) throws Exception {
    for (int i : new int[] {0, 1, 2, 3, ROWS / 2, ROWS - 1}) {
      int value = i % 3 == 0 ? i + moved : i;
      assertThat(table.find(value(value))).containsExactly(row(i));
      assertThat(table.find(value(value + 2 * MOVED))).isEmpty();
    }
    assertThat(table.find(value(moved == 0 ? MOVED : 0))).isEmpty();
    List<String> all = IntStream.range(0, ROWS).mapToObj(ScannedTable::row).toList();
    assertThat(table.find(ValueQuery.on(TestTable.INDEX).prefix(new byte[] {'v'})))
        .containsExactlyInAnyOrderElementsOf(all);
    assertThat(table.find(ValueQuery.on(TestTable.INDEX).prefix(new byte[] {'v'}).mostRecent(2)))
        .containsExactly(row(ROWS - 1), row(ROWS - 2));
  }
}
