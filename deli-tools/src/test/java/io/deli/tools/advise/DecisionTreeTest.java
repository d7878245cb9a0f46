package io.deli.tools.advise;

import static io.deli.tools.advise.Examples.TABLE;
import static io.deli.tools.advise.Examples.facts;
import static io.deli.tools.advise.Examples.flags;
import static io.deli.tools.advise.Examples.limit;
import static io.deli.tools.advise.Examples.shares;
import static io.deli.tools.advise.Examples.withVersions;
import static io.deli.tools.advise.Facts.Wants.UNTOLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.tools.advise.DecisionTree.Advice;
import io.deli.tools.advise.DecisionTree.Advice.Decision;
import org.junit.jupiter.api.Test;

/** Every leaf, and what led there. */
class DecisionTreeTest {
  private static Advice advise(Facts facts) {
    return DecisionTree.advise(facts);
  }

  private static String strategy(Facts.Wants wants) {
    return advise(facts(wants)).strategy();
  }

  private static String strategy(ColumnFacts column, Facts.Wants wants) {
    return advise(new Facts(TABLE, column, wants)).strategy();
  }

  @Test
  void noneWhereALookupReadsAsManyRowsAsTheTableHasBlocks() {
    ColumnFacts ten = Examples.distinct(10);
    assertThat(strategy(ten, UNTOLD)).isEqualTo("none");
    assertThat(strategy(ten, limit(100))).isEqualTo("lazy");
    Advice advice = advise(new Facts(TABLE, ten, UNTOLD));
    assertThat(advice.notes()).anyMatch(note -> note.contains("grown"));
    assertThat(advice.decisions())
        .singleElement()
        .satisfies(
            only -> {
              assertThat(only.answer()).isTrue();
              assertThat(only.because()).isEqualTo("100000.0 hits, 15625.0 blocks");
            });
  }

  @Test
  void embeddedWhereSpaceIsScarce() {
    assertThat(strategy(flags(false, true))).isEqualTo("embedded");
  }

  @Test
  void embeddedWhereLookupsAreRareAmidWrites() {
    assertThat(strategy(shares(0.04, 0.6, 0))).isEqualTo("embedded");
    assertThat(strategy(shares(0.06, 0.6, 0))).isNotEqualTo("embedded");
    assertThat(strategy(shares(0.04, 0.5, 0))).isNotEqualTo("embedded");
  }

  @Test
  void embeddedWhereValuesFollowTimeOrRowKeys() {
    assertThat(strategy(Examples.bounds(0.95, 0.05), UNTOLD)).isEqualTo("embedded");
    assertThat(strategy(Examples.bounds(-0.95, 0.05), UNTOLD)).isEqualTo("embedded");
    assertThat(strategy(Examples.bounds(0, 0.05), UNTOLD)).isEqualTo("embedded");
    Advice scattered = advise(new Facts(TABLE, Examples.bounds(0.95, 0.9), UNTOLD));
    assertThat(scattered.strategy()).isEqualTo("embedded");
    assertThat(scattered.notes()).anyMatch(note -> note.contains("major compaction"));
  }

  @Test
  void nextForRangesOfScatteredValues() {
    assertThat(strategy(flags(true, true))).isEqualTo("next");
    assertThat(strategy(flags(false, true))).isEqualTo("embedded");
    assertThat(strategy(Examples.bounds(0.95, 0.05), flags(true, true))).isEqualTo("embedded");
  }

  @Test
  void deferredWhereValuesAreReplaced() {
    assertThat(strategy(Examples.superseded(0.4), UNTOLD)).isEqualTo("deferred");
    Advice recent = advise(new Facts(TABLE, Examples.superseded(0.4), limit(3)));
    assertThat(recent.strategy()).isEqualTo("deferred");
    assertThat(recent.byTime()).isTrue();
  }

  @Test
  void inPlaceWhereThereIsHardlyAWrite() {
    assertThat(strategy(shares(0.5, 0.01, 0.4))).isEqualTo("in-place");
    assertThat(strategy(withVersions(shares(0.5, 0.01, 0.4)))).isEqualTo("deferred");
    assertThat(strategy(shares(0.5, 0.06, 0.4))).isEqualTo("deferred");
  }

  @Test
  void lazyWhereFewOfTheHitsSuffice() {
    assertThat(strategy(limit(3))).isEqualTo("lazy");
    assertThat(strategy(limit(10))).as("all there are").isNotEqualTo("lazy");
    assertThat(advise(facts(limit(3))).notes()).anyMatch(note -> note.contains("--updates"));
  }

  @Test
  void compositeWhereValuesAreKnownToStay() {
    assertThat(strategy(shares(0.5, 0.5, 0.01))).isEqualTo("composite");
  }

  @Test
  void deferredWhereNothingIsKnown() {
    Advice advice = advise(facts(UNTOLD));
    assertThat(advice.strategy()).isEqualTo("deferred");
    assertThat(advice.byTime()).isFalse();
    assertThat(advice.decisions()).hasSize(7).noneMatch(Decision::answer);
    assertThat(advice.decisions())
        .extracting(Decision::because)
        .contains("lookups unknown without --lookups, writes 50.0 %");
  }

  @Test
  void seeingNoReplacedValueProvesNothingUnlessVersionsAreKept() {
    Facts.Table kept = new Facts.Table(1_000_000, false, 1024, 8, 4, 3, 65_536, 3, 500, 500);
    Facts facts = new Facts(kept, Examples.distinct(100_000), UNTOLD);
    assertThat(advise(facts).strategy()).isEqualTo("composite");
  }
}
