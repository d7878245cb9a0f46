package io.deli.tools.advise;

import static io.deli.tools.advise.Examples.TABLE;
import static io.deli.tools.advise.Examples.facts;
import static io.deli.tools.advise.Facts.Wants.UNTOLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.deli.strategy.Cost;
import io.deli.strategy.Strategies;
import io.deli.strategy.Workload;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** A million rows, ten of each value, 15,625 blocks in 3 files a region. */
class CostsTest {
  private static final Offset<Double> CLOSE = within(0.001);

  private static Cost cost(String strategy, Facts facts) {
    return Strategies.named(strategy).cost(facts.workload()).orElseThrow();
  }

  @Test
  void eachStrategyTellsItsOwn() {
    Workload workload = facts(UNTOLD).workload();
    assertThat(Strategies.all())
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(each.cost(workload).map(Cost::strategy))
                    .as(each.name())
                    .hasValue(each.name()));
  }

  @Test
  void writesAreThoseThatAreCountedOnClusters() {
    Facts facts = facts(Examples.shares(0.5, 0.5, 0.25));
    assertWrites(cost("deferred", facts), 2, 0);
    assertWrites(cost("composite", facts), 2, 0);
    assertWrites(cost("lazy", facts), 2, 0);
    assertWrites(cost("eager", facts), 2, 1);
    assertWrites(cost("in-place", facts), 2.25, 1);
    assertWrites(cost("embedded", facts), 1, 0);
    assertWrites(cost("next", facts), 1, 0);
    assertWrites(cost("none", facts), 1, 0);
  }

  private static void assertWrites(Cost cost, double writes, double reads) {
    assertThat(cost.putWrites()).as(cost.strategy()).isCloseTo(writes, CLOSE);
    assertThat(cost.putReads()).as(cost.strategy()).isCloseTo(reads, CLOSE);
  }

  @Test
  void lookupsReadEntriesThenRows() {
    Cost deferred = cost("deferred", facts(UNTOLD));
    assertThat(deferred.lookupBlocks()).as("L + K'").isCloseTo(3 + 10, CLOSE);
    assertThat(deferred.lookupRequests()).as("a page, 4 servers").isCloseTo(1 + 4, CLOSE);
    assertThat(deferred.entries()).isCloseTo(1_000_000, CLOSE);
    assertThat(deferred.bytes()).as("21 and a row of 28").isCloseTo(49e6, CLOSE);
    assertThat(deferred.rangeBlocks()).as("L + M + K'").isCloseTo(3 + 7 + 10_000, CLOSE);
  }

  @Test
  void whatIsReplacedStaysUnlessItIsTakenOut() {
    Facts facts = facts(Examples.shares(0.5, 0.5, 0.5));
    assertThat(cost("deferred", facts).entries()).isCloseTo(1_000_000, CLOSE);
    assertThat(cost("in-place", facts).entries()).isCloseTo(1_000_000, CLOSE);
    assertThat(cost("composite", facts).entries()).isCloseTo(2_000_000, CLOSE);
    assertThat(cost("lazy", facts).entries()).isCloseTo(2_000_000, CLOSE);
    assertThat(cost("composite", facts).lookupBlocks()).isCloseTo(3 + 20, CLOSE);
  }

  @Test
  void aLimitIsWhatIsRead() {
    assertThat(cost("lazy", facts(Examples.limit(2))).lookupBlocks()).isCloseTo(3 + 2, CLOSE);
  }

  @Test
  void eagerWritesItsListAgainCellByCell() {
    assertThat(cost("eager", facts(UNTOLD)).putBytes()).isCloseTo(10 * 20, CLOSE);
    Facts few = new Facts(TABLE, Examples.distinct(10), UNTOLD);
    assertThat(cost("eager", few).putBytes()).as("deli.list.bytes").isCloseTo(16_384, CLOSE);
  }

  @Test
  void embeddedReadsTheBlocksWithHitsAndThoseWhereAFilterErrs() {
    Cost scattered = cost("embedded", facts(UNTOLD));
    assertThat(scattered.lookupBlocks())
        .as("K', 0.8 % of 14,063 blocks, K' in 2 more files")
        .isCloseTo(10 + 0.0082 * 14_063 + 20, within(1.0));
    assertThat(scattered.rangeBlocks()).as("nearly all").isGreaterThan(14_000);
    assertThat(scattered.entries()).isZero();

    Cost ordered = cost("embedded", new Facts(TABLE, Examples.bounds(1, 0.001), UNTOLD));
    assertThat(ordered.lookupBlocks()).isLessThan(10 + 1 + 20);
    assertThat(ordered.rangeBlocks())
        .as("1.1 % of the blocks, the rows' blocks in 2 more files")
        .isCloseTo(172 + 2 * 156, within(1.0));
  }

  @Test
  void nextReadsPostingsAndTheBlocksWithHits() {
    assertThat(cost("next", facts(UNTOLD)).lookupBlocks())
        .as("in each of 3 files")
        .isCloseTo(3 + 3 * 10, within(0.1));
    Facts.Table compacted = new Facts.Table(1_000_000, false, 1024, 8, 4, 1, 65_536, 1, 500, 500);
    Facts facts = new Facts(compacted, Examples.distinct(100_000), UNTOLD);
    assertThat(cost("next", facts).rangeBlocks())
        .as("10,000 hits, some in one block")
        .isBetween(7_000.0, cost("deferred", facts).rangeBlocks());
    assertThat(cost("next", facts).bytes()).isLessThan(cost("deferred", facts).bytes());
  }

  @Test
  void noneReadsTheTable() {
    Cost none = cost("none", facts(UNTOLD));
    assertThat(none.lookupBlocks()).isCloseTo(15_625, CLOSE);
    assertThat(none.rangeBlocks()).isCloseTo(15_625, CLOSE);
    assertThat(none.bytes()).isZero();
  }
}
