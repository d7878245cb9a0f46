package io.deli.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * The papers' formulae, worked out by hand for a million rows of 1 kB, ten of each value unless a
 * test says otherwise, in 15,625 blocks and 3 files, in 8 regions on 4 servers.
 */
class CostTest {
  private static final Offset<Double> CLOSE = within(0.01);
  private static final double ROWS = 1_000_000;
  private static final double DISTINCT = 100_000;
  private static final double SCATTERED = 0.9;
  private static final Workload TENS = workload(DISTINCT, 0, false, SCATTERED, 3);

  private static Workload workload(
      double distinct, double updates, boolean byTime, double boundsShare, double files) {
    return new Workload(
        ROWS,
        distinct,
        ROWS / distinct,
        updates,
        16,
        10,
        byTime,
        boundsShare,
        15_625,
        65_536,
        1_024,
        files,
        8,
        4);
  }

  private static Workload updated(double share) {
    return workload(DISTINCT, share, false, SCATTERED, 3);
  }

  private static Cost cost(String strategy, Workload work) {
    return Strategies.named(strategy).cost(work).orElseThrow();
  }

  @Test
  void eachStrategyTellsItsOwn() {
    assertThat(Strategies.all())
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(each.cost(TENS).map(Cost::strategy))
                    .as(each.name())
                    .hasValue(each.name()));
  }

  @Test
  void writesAreThoseThatAreCountedOnClusters() {
    Workload work = updated(0.25);
    assertWrites(cost("deferred", work), 2, 0);
    assertWrites(cost("composite", work), 2, 0);
    assertWrites(cost("lazy", work), 2, 0);
    assertWrites(cost("eager", work), 2, 1);
    assertWrites(cost("in-place", work), 2.25, 1);
    assertWrites(cost("embedded", work), 1, 0);
    assertWrites(cost("next", work), 1, 0);
    assertWrites(cost("none", work), 1, 0);
  }

  private static void assertWrites(Cost cost, double writes, double reads) {
    assertThat(cost.putWrites()).as(cost.strategy()).isCloseTo(writes, CLOSE);
    assertThat(cost.putReads()).as(cost.strategy()).isCloseTo(reads, CLOSE);
  }

  @Test
  void lookupsReadEntriesThenRows() {
    Cost deferred = cost("deferred", TENS);
    assertThat(deferred.lookupBlocks()).as("L + K'").isCloseTo(3 + 10, CLOSE);
    assertThat(deferred.lookupRequests()).as("a page, 4 servers").isCloseTo(1 + 4, CLOSE);
    assertThat(deferred.putBytes()).as("21 and a row of 28").isCloseTo(49, CLOSE);
    assertThat(deferred.entries()).isCloseTo(1_000_000, CLOSE);
    assertThat(deferred.bytes()).isCloseTo(49e6, CLOSE);
    assertThat(deferred.rangeBlocks()).as("L + M + K'").isCloseTo(3 + 7 + 10_000, CLOSE);
    assertThat(cost("deferred", workload(DISTINCT, 0, true, SCATTERED, 3)).putBytes())
        .as("and 8 of time")
        .isCloseTo(57, CLOSE);
  }

  @Test
  void manyHitsAreReadByPages() {
    Cost tenThousand = cost("deferred", workload(100, 0, false, SCATTERED, 3));
    assertThat(tenThousand.lookupBlocks()).isCloseTo(3 + 7 + 10_000, CLOSE);
    assertThat(tenThousand.lookupRequests()).as("of 256 entries").isCloseTo(40 * (1 + 4), CLOSE);
    assertThat(cost("deferred", workload(ROWS, 0, false, SCATTERED, 3)).lookupRequests())
        .as("of one row, on one server")
        .isCloseTo(1 + 1, CLOSE);
  }

  /** Of ten values, each has more rows than the hundredth part. */
  @Test
  void aRangeHasTheRowsOfOneValueAtLeast() {
    Workload few = workload(10, 0, false, SCATTERED, 3);
    assertThat(few.range()).isCloseTo(0.1, CLOSE);
    assertThat(cost("deferred", few).rangeBlocks()).isCloseTo(3 + 74 + 100_000, CLOSE);
  }

  @Test
  void whatIsReplacedStaysUnlessItIsTakenOut() {
    Workload half = updated(0.5);
    assertThat(cost("deferred", half).entries()).isCloseTo(1_000_000, CLOSE);
    assertThat(cost("in-place", half).entries()).isCloseTo(1_000_000, CLOSE);
    assertThat(cost("composite", half).entries()).isCloseTo(2_000_000, CLOSE);
    assertThat(cost("lazy", half).entries()).isCloseTo(2_000_000, CLOSE);
    assertThat(cost("composite", half).lookupBlocks()).isCloseTo(3 + 20, CLOSE);
    assertThat(cost("composite", half).rangeBlocks()).isCloseTo(3 + 14 + 20_000, CLOSE);
    assertThat(cost("composite", updated(1)).entries())
        .as("of updates alone, there is no end; 99 % are taken")
        .isCloseTo(100_000_000, CLOSE);
  }

  @Test
  void listsHaveAPostingOfTwentyBytes() {
    Cost lazy = cost("lazy", TENS);
    assertThat(lazy.putBytes()).as("an entry's").isCloseTo(49, CLOSE);
    assertThat(lazy.bytes()).isCloseTo(20e6, CLOSE);
  }

  @Test
  void eagerWritesItsListAgainCellByCell() {
    assertThat(cost("eager", TENS).putBytes()).isCloseTo(10 * 20, CLOSE);
    assertThat(cost("eager", updated(0.5)).putBytes()).isCloseTo(20 * 20, CLOSE);
    assertThat(cost("eager", workload(10, 0, false, SCATTERED, 3)).putBytes())
        .as("deli.list.bytes")
        .isCloseTo(16_384, CLOSE);
  }

  @Test
  void embeddedReadsTheBlocksWithHitsAndThoseWhereAFilterErrs() {
    Cost scattered = cost("embedded", TENS);
    assertThat(scattered.lookupBlocks())
        .as("K' in each of 3 files, 0.82 % of 14,063 blocks")
        .isCloseTo(3 * 9.996 + 115.26, within(0.1));
    assertThat(scattered.rangeBlocks()).as("all").isCloseTo(15_625, CLOSE);
    assertThat(scattered.lookupRequests()).as("each server").isCloseTo(4, CLOSE);
    assertThat(scattered.entries()).isZero();
    assertThat(scattered.bytes())
        .as("10 bits for each of 64 tokens, two values, two timestamps")
        .isCloseTo(15_625 * (80 + 2 * 10 + 2 * 8), CLOSE);

    Cost oneFile = cost("embedded", workload(DISTINCT, 0, false, 0.5, 1));
    assertThat(oneFile.rangeBlocks()).as("51 % of the blocks").isCloseTo(7_968.75, CLOSE);

    Cost ordered = cost("embedded", workload(DISTINCT, 0, false, 0.001, 3));
    assertThat(ordered.lookupBlocks())
        .as("some of the ten in one of 15.6 blocks")
        .isCloseTo(3 * 7.385 + 0.128, within(0.01));
    assertThat(ordered.rangeBlocks())
        .as("1.1 % of the blocks, the rows' blocks in 2 more files")
        .isCloseTo(171.875 + 2 * 156.25, CLOSE);
  }

  /** With few values, each block has all of them. */
  @Test
  void embeddedKeepsNoMoreTokensOfABlockThanThereAre() {
    assertThat(cost("embedded", workload(8, 0, false, SCATTERED, 3)).bytes())
        .isCloseTo(15_625 * (10 + 2 * 10 + 2 * 8), CLOSE);
  }

  @Test
  void nextReadsPostingsAndTheBlocksWithHits() {
    Cost next = cost("next", TENS);
    assertThat(next.lookupBlocks())
        .as("in each of 3 files")
        .isCloseTo(3 * (1 + 9.996), within(0.01));
    assertThat(next.lookupRequests()).as("each server").isCloseTo(4, CLOSE);
    assertThat(next.bytes())
        .as("a token of 12 bytes, ten blocks of 10")
        .isCloseTo(100_000 * (12 + 99.964), within(500.0));
    Workload compacted = workload(DISTINCT, 0, false, SCATTERED, 1);
    assertThat(cost("next", compacted).rangeBlocks())
        .as("10,000 hits, some in one block, and two blocks of postings")
        .isCloseTo(1 + 7_156.6 + 1, within(1.0))
        .isLessThan(cost("deferred", compacted).rangeBlocks());
    assertThat(cost("next", compacted).bytes()).isLessThan(cost("deferred", compacted).bytes());
  }

  @Test
  void noneReadsTheTable() {
    Cost none = cost("none", TENS);
    assertThat(none.lookupBlocks()).isCloseTo(15_625, CLOSE);
    assertThat(none.rangeBlocks()).isCloseTo(15_625, CLOSE);
    assertThat(none.lookupRequests()).as("each region").isCloseTo(8, CLOSE);
    assertThat(none.bytes()).isZero();
  }
}
