package io.deli.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Properties;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.commons.math3.random.Well19937c;
import org.junit.jupiter.api.Test;

class ValueDistributionTest {
  private static final int COUNT = 1000;
  private static final int DRAWS = 200_000;

  @Test
  void uniformValuesAreAllAlike() {
    long[] frequencies = frequencies("uniform");
    assertThat(LongStream.of(frequencies).min().orElseThrow()).isGreaterThan(100);
    assertThat(LongStream.of(frequencies).max().orElseThrow()).isLessThan(300);
  }

  @Test
  void twitterIsAPowerLaw() {
    long[] byRank = LongStream.of(frequencies("twitter")).sorted().toArray();
    double harmonic =
        IntStream.rangeClosed(1, COUNT).mapToDouble(rank -> Math.pow(rank, -1.1)).sum();
    for (int rank : new int[] {1, 2, 10, 50}) {
      assertThat((double) byRank[COUNT - rank])
          .as("frequency of rank " + rank)
          .isCloseTo(DRAWS * Math.pow(rank, -1.1) / harmonic, within(DRAWS * 0.01));
    }
  }

  /** LevelDB++, section 5.1: 18 million tweets, 30 a user; the exponent follows. */
  @Test
  void twitterHasThePapersMean() {
    int users = 600_000;
    double sum =
        IntStream.rangeClosed(1, users)
            .mapToDouble(
                rank -> Math.pow((double) users / rank, ValueDistribution.TWITTER_EXPONENT))
            .sum();
    assertThat(sum / users).isCloseTo(30, within(1.0));
  }

  @Test
  void zipfianIsLessSkewedAndScattersTheFrequent() {
    long[] zipfian = frequencies("zipfian");
    long most = LongStream.of(zipfian).max().orElseThrow();
    assertThat(most).isLessThan(LongStream.of(frequencies("twitter")).max().orElseThrow());
    assertThat(LongStream.of(zipfian).limit(COUNT / 2).sum()).isBetween(DRAWS / 4L, DRAWS * 3L / 4);
    ValueDistribution.Skewed skewed =
        ValueDistribution.Skewed.scattered(COUNT, 0.99, new Well19937c(7));
    assertThat(LongStream.rangeClosed(1, COUNT).map(skewed::value).distinct().count())
        .isEqualTo(COUNT);
  }

  @Test
  void timeCorrelatedValuesGrow() {
    ValueDistribution growing = distribution("time-correlated");
    assertThat(LongStream.of(0, 9, 10, 9999, 20_000).map(growing::written))
        .containsExactly(0L, 0L, 1L, 999L, 2000L);
    assertThat(LongStream.range(0, 1000).map(i -> growing.asked(5000)))
        .allMatch(value -> value >= 0 && value < 500);
  }

  @Test
  void rankedValuesAreTheLikelierTheSmaller() {
    long[] ranked = frequencies("ranked");
    assertThat(ranked[1]).isGreaterThan(ranked[2]).isEqualTo(LongStream.of(ranked).max().orElse(0));
    assertThat(LongStream.of(ranked).limit(COUNT / 2).sum()).isGreaterThan(DRAWS * 3L / 4);
  }

  @Test
  void whatIsAskedForMayHaveADistributionOfItsOwn() {
    Properties properties = new Properties();
    properties.setProperty(ValueDistribution.PROPERTY, "time-correlated");
    properties.setProperty(ValueDistribution.ASKED, "uniform");
    ValueDistribution mixed =
        ValueDistribution.of(properties, COUNT, 10L * COUNT, new Well19937c(7));
    assertThat(mixed.written(10)).isEqualTo(1);
    assertThat(LongStream.range(0, 1000).map(i -> mixed.asked(0)).max().orElse(0))
        .isGreaterThan(COUNT / 2);
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThatThrownBy(() -> distribution("gaussian"))
        .hasMessage(
            "valuedistribution=gaussian: use uniform, zipfian, ranked, twitter or time-correlated");
  }

  private static long[] frequencies(String name) {
    ValueDistribution distribution = distribution(name);
    long[] frequencies = new long[COUNT];
    for (int i = 0; i < DRAWS; i++) {
      frequencies[(int) distribution.written(i)]++;
    }
    return frequencies;
  }

  private static ValueDistribution distribution(String name) {
    Properties properties = new Properties();
    properties.setProperty(ValueDistribution.PROPERTY, name);
    return ValueDistribution.of(properties, COUNT, 10L * COUNT, new Well19937c(7));
  }
}
