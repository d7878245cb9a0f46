package io.deli.tools.advise;

import static io.deli.tools.advise.Examples.facts;
import static io.deli.tools.advise.Facts.Wants.UNTOLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.deli.strategy.Workload;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FactsTest {
  private static final Offset<Double> CLOSE = within(0.001);

  @Test
  void theWorkload_isOfTableAndColumn() {
    Workload work = facts(UNTOLD).workload();
    assertThat(work.rows()).isCloseTo(1_000_000, CLOSE);
    assertThat(work.hits()).isCloseTo(10, CLOSE);
    assertThat(work.blocks()).isCloseTo(15_625, CLOSE);
    assertThat(work.files()).isCloseTo(3, CLOSE);
    assertThat(work.keyBytes()).isCloseTo(16, CLOSE);
    assertThat(work.valueBytes()).isCloseTo(10, CLOSE);
    assertThat(work.updates()).isZero();
    assertThat(work.byTime()).isFalse();
  }

  @Test
  void whatIsWanted_limitsHits_andTellsUpdates() {
    Workload limited = facts(Examples.limit(2)).workload();
    assertThat(limited.hits()).isCloseTo(2, CLOSE);
    assertThat(limited.byTime()).isTrue();
    assertThat(facts(Examples.limit(20)).workload().hits()).isCloseTo(10, CLOSE);
    assertThat(facts(Examples.shares(0.5, 0.5, 0.25)).workload().updates()).isEqualTo(0.25);
  }
}
