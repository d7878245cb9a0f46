package io.deli.tools.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.deli.tools.advise.Sample.Stretch;
import io.deli.tools.advise.Sample.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ColumnFactsTest {
  private static final int STRETCHES = 40;
  private static final int ROWS = 2_000;

  /** Rows written one after the other, each with the value of its number. */
  private static ColumnFacts of(IntUnaryOperator values, long versions) {
    List<Stretch> stretches = new ArrayList<>();
    for (int stretch = 0; stretch < STRETCHES; stretch++) {
      List<Value> neighbours = new ArrayList<>();
      for (int i = 0; i < ROWS / STRETCHES; i++) {
        int row = stretch * ROWS / STRETCHES + i;
        neighbours.add(new Value(Bytes.toBytes(values.applyAsInt(row)), 1_000 + row));
      }
      long rows = 2L * neighbours.size();
      long own = versions * (stretch + 1) / STRETCHES - versions * stretch / STRETCHES;
      stretches.add(new Stretch(neighbours, rows, 9, 9, 10 * rows, own));
    }
    return ColumnFacts.of(new Sample(stretches, false));
  }

  @Test
  void whatGrowsWithTimeIsCorrelatedAndItsBoundsExclude() {
    ColumnFacts facts = of(row -> row, ROWS);
    assertThat(facts.timeCorrelation()).isCloseTo(1, within(1e-9));
    assertThat(facts.boundsShare()).isZero();
    assertThat(of(row -> ROWS - row, ROWS).timeCorrelation()).isCloseTo(-1, within(1e-9));
  }

  @Test
  void whatIsRandomIsNeither() {
    Random random = new Random(1);
    ColumnFacts facts = of(row -> random.nextInt(1_000_000), ROWS);
    assertThat(facts.timeCorrelation()).isCloseTo(0, within(0.1));
    assertThat(facts.boundsShare()).isGreaterThan(0.9);
  }

  @Test
  void followsRowKeysThoughNotTime() {
    ColumnFacts facts = of(row -> row / (ROWS / STRETCHES) * 7 % STRETCHES, ROWS);
    assertThat(facts.timeCorrelation()).isCloseTo(0, within(0.5));
    assertThat(facts.boundsShare()).isZero();
  }

  @Test
  void oneValueIsNotCorrelated() {
    ColumnFacts facts = of(row -> 5, ROWS);
    assertThat(facts.timeCorrelation()).isZero();
    assertThat(facts.boundsShare()).isEqualTo(1);
    assertThat(facts.distinctIn(1_000_000)).isEqualTo(1);
  }

  @Test
  void countsDistinctValuesBeyondTheSample() {
    Random random = new Random(2);
    assertThat(of(row -> random.nextInt(10), ROWS).distinctIn(1_000_000)).isEqualTo(10);
    assertThat(of(row -> row, ROWS).distinctIn(1_000_000)).isEqualTo(1_000_000);
    assertThat(of(row -> row, ROWS).distinctIn(ROWS)).isEqualTo(ROWS);
    assertThat(of(row -> random.nextInt(10_000), ROWS).distinctIn(1_000_000))
        .isBetween(7_000.0, 13_000.0);
  }

  @Test
  void neighboursOfOneValueCountOnce() {
    assertThat(of(row -> row / 10, ROWS).distinctIn(1_000_000)).isBetween(15_000.0, 100_000.0);
  }

  @Test
  void seesWhatRowsHave() {
    ColumnFacts facts = of(row -> row, ROWS * 4 / 3);
    assertThat(facts.share()).isEqualTo(0.5);
    assertThat(facts.keyBytes()).isEqualTo(10);
    assertThat(facts.valueBytes()).isEqualTo(4);
    assertThat(facts.superseded()).isCloseTo(0.25, within(0.001));
  }
}
