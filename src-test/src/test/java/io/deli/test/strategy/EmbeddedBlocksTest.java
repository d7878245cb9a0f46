package io.deli.test.strategy;

import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.strategy.ScannedTable.row;
import static io.deli.test.strategy.ScannedTable.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import io.deli.test.strategy.ScannedTable.Metric;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lookups by an embedded index read the blocks that may match, and no others. */
class EmbeddedBlocksTest {
  private static final int ROWS = 4_000;
  private static final int FILES = 4;

  /** In no order, so that bounds exclude little. */
  private static final List<byte[]> VALUES = ScannedTable.shuffledValues(ROWS, 250);

  /** Every file spans all rows, so that no key range excludes it. */
  private static ScannedTable overlappingFiles(int bitsPerToken) throws IOException {
    ScannedTable table = ScannedTable.create("embedded", "blocks", bitsPerToken);
    table.loadOverlapping(FILES, ROWS, VALUES::get);
    return table;
  }

  @Test
  void whatTheFiltersExcludeIsNotRead() throws IOException {
    try (ScannedTable table = overlappingFiles(100)) {
      assertThat(table.find(VALUES.get(0))).containsExactly(row(0));
      for (int i : new int[] {1, 777, 2_222, ROWS - 1}) {
        table.assertOneBlockRead(VALUES.get(i), row(i), FILES);
        long byHBase = table.readByHBase(ValueQuery.on(INDEX).equalTo(VALUES.get(i)));
        System.out.printf("%d of %d blocks read for one hit%n", byHBase, table.blocks());
        // The block with the candidate, perhaps cut in two; the row, in every file; what follows.
        assertThat(byHBase).isBetween(1L, 2L + 2 * FILES);
      }
    }
  }

  @Test
  void rangesReadTheBlocksWithinTheirBounds() throws IOException {
    try (ScannedTable table = ScannedTable.create("embedded", "bounds")) {
      // Values grow with the rows, as times would.
      table.load(ROWS, i -> true, ScannedTable::value);
      ValueQuery range = ValueQuery.on(INDEX).between(value(1_000), value(1_049));
      assertThat(table.find(range)).hasSize(50);
      long blocks = table.blocks();
      long read = Metric.READ.now();
      assertThat(table.find(range)).hasSize(50).startsWith(row(1_000)).endsWith(row(1_049));
      assertThat(Metric.READ.now() - read).isBetween(1L, blocks / 20);
      long byHBase = table.readByHBase(range);
      System.out.printf("%d of %d blocks read for 50 neighbours%n", byHBase, blocks);
      assertThat(byHBase).isLessThan(blocks / 10);
    }
  }

  /** Also where that takes longer than a scanner is given at a time. */
  @Test
  void whatBoundsDoNotExcludeIsReadOnce() throws IOException {
    try (ScannedTable table = ScannedTable.create("embedded", "spread")) {
      table.load(ROWS, i -> true, i -> value(i % 2 == 0 ? 1 : 999));
      ValueQuery between = ValueQuery.on(INDEX).between(value(400), value(500));
      assertThat(table.find(between)).isEmpty();
      long read = Metric.READ.now();
      assertThat(table.find(between)).isEmpty();
      assertThat(Metric.READ.now() - read).isEqualTo(table.blocks());
    }
  }

  /** Then the search for the newest is given up, and all candidates are looked at. */
  @Test
  void theNewestAreFoundAmongManySuperseded() throws IOException {
    int rows = 11_000;
    try (ScannedTable table = ScannedTable.create("embedded", "superseded")) {
      table.load(rows, i -> true, i -> value(0));
      table.load(rows, i -> i > 0, i -> value(1));
      ValueQuery newest = ValueQuery.on(INDEX).equalTo(value(0)).mostRecent(2);
      assertThat(table.find(newest)).containsExactly(row(0));
    }
  }

  @Test
  void theNewestHitsEndTheSearch() throws IOException {
    try (ScannedTable table = ScannedTable.ofOneValue("embedded", FILES, ROWS)) {
      ValueQuery newest = ValueQuery.on(INDEX).equalTo(value(0)).mostRecent(3);
      String[] expected = {row(ROWS - 1), row(ROWS - 3), row(ROWS - 4)};
      assertThat(table.find(newest)).containsExactly(expected);
      long blocks = table.blocks();
      long read = Metric.READ.now();
      assertThat(table.find(newest)).containsExactly(expected);
      assertThat(Metric.READ.now() - read).isBetween(1L, (long) FILES);
      long byHBase = table.readByHBase(newest);
      System.out.printf("%d of %d blocks read for the three newest%n", byHBase, blocks);
      // For each of four candidates its row in every file, twice; and where the scan begins.
      assertThat(byHBase).isLessThan(10 * FILES);
    }
  }

  /** Bounds lead to the blocks of the range, and of these the newest are read. */
  @Test
  void theNewestHitsOfARangeEndTheSearch() throws IOException {
    try (ScannedTable table = ScannedTable.create("embedded", "recent")) {
      table.load(ROWS, i -> true, ScannedTable::value);
      for (int end : new int[] {ROWS, 1_700}) {
        ValueQuery range = ValueQuery.on(INDEX).between(value(200), value(end - 1)).mostRecent(3);
        String[] expected = {row(end - 1), row(end - 2), row(end - 3)};
        assertThat(table.find(range)).containsExactly(expected);
        long read = Metric.READ.now();
        long skipped = Metric.SKIPPED.now();
        assertThat(table.find(range)).containsExactly(expected);
        assertThat(Metric.READ.now() - read).isBetween(1L, 2L);
        assertThat(Metric.SKIPPED.now() - skipped).isBetween(table.blocks() - 2, table.blocks());
      }
    }
  }

  /** Theory: a filter with k probes for each of n tokens in m bits errs at (1 - e^(-kn/m))^k. */
  @ParameterizedTest
  @ValueSource(ints = {10, 100})
  void filtersErrAsSeldomAsTheorySays(int bitsPerToken) throws IOException {
    try (ScannedTable table = overlappingFiles(bitsPerToken)) {
      assertThat(table.find(VALUES.get(0))).containsExactly(row(0));
      long read = Metric.READ.now();
      long skipped = Metric.SKIPPED.now();
      int absent = 64;
      for (int i = 0; i < absent; i++) {
        assertThat(table.find(Bytes.toBytes("value%06d, no".formatted(500_000 + i)))).isEmpty();
      }
      read = Metric.READ.now() - read;
      long asked = read + Metric.SKIPPED.now() - skipped;
      double probes = Math.round(bitsPerToken * Math.log(2));
      double theory = Math.pow(1 - Math.exp(-probes / bitsPerToken), probes);
      System.out.printf(
          "%d bits: %d errors of %d, theory %.3g%n", bitsPerToken, read, asked, theory * asked);
      assertThat(asked).isGreaterThan(40_000);
      assertThat((double) read).isBetween(Math.floor(theory * asked / 2), 2 * theory * asked);
    }
  }
}
