package io.deli.tools.advise;

import static io.deli.tools.advise.Examples.TABLE;
import static io.deli.tools.advise.Facts.Wants.UNTOLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.tools.Failure;
import io.deli.tools.advise.DecisionTree.Advice;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SampledFactsTest {
  private static final Facts DEFERRED = new Facts(TABLE, Examples.distinct(100_000), UNTOLD);
  private static final Facts NONE = new Facts(TABLE, Examples.distinct(10), UNTOLD);

  private static SampledFacts halves(int deferred, int none) {
    List<Facts> halves =
        Stream.of(Collections.nCopies(deferred, DEFERRED), Collections.nCopies(none, NONE))
            .flatMap(List::stream)
            .toList();
    return new SampledFacts(DEFERRED, halves);
  }

  @Test
  void confidenceIsTheShareOfHalvesThatAgree() {
    SampledFacts sampled = halves(15, 5);
    Advice advice = sampled.advice();
    assertThat(advice.strategy()).isEqualTo("deferred");
    assertThat(sampled.confidence(advice)).isEqualTo(0.75);
  }

  @Test
  void allRowsAreAsSureAsCanBe() {
    SampledFacts sampled = new SampledFacts(DEFERRED, List.of());
    assertThat(sampled.confidence(sampled.advice())).isEqualTo(1);
  }

  @Test
  void halvesThatDisagreeAreRefused() {
    assertThatThrownBy(() -> halves(5, 15).advice())
        .isInstanceOf(Failure.class)
        .hasMessageContainingAll("carries no advice", "deferred=5", "none=15", "raise --sample");
  }

  @Test
  void aHandfulOfValuesIsRefused() {
    ColumnFacts few = new ColumnFacts(5_000, 7, 7, 7, 0, 16, 10, 0, 1, 0);
    Facts facts = new Facts(TABLE, few, UNTOLD);
    assertThatThrownBy(() -> new SampledFacts(facts, List.of(facts)).advice())
        .isInstanceOf(Failure.class)
        .hasMessageContainingAll("only 7 of 5000", "raise --sample");
    assertThat(new SampledFacts(facts, List.of()).advice().strategy()).isNotEmpty();
  }
}
