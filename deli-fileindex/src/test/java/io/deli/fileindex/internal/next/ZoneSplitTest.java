package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.query.TokenRange;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ZoneSplitTest {
  /** Of a posting block, about. */
  private static final int TOKENS = 1_000;

  private static final int ANY = Integer.MAX_VALUE;
  private static final int WIDTH = 1_000_000;

  private static List<TokenRange> divide(int factor, int most, byte[]... tokens) {
    return divideWithin(ANY, factor, most, tokens);
  }

  private static List<TokenRange> divideWithin(int bytes, int factor, int most, byte[]... tokens) {
    return new ZoneSplit(factor, most, Long.MAX_VALUE)
        .divide(
            Arrays.stream(tokens).map(TokenRange::only).toList(),
            bytes,
            of -> TokenRange.of(of.get(0).first(), of.get(of.size() - 1).end()));
  }

  /** Tokens of numbers, ascending. */
  private static byte[][] tokens(int count, IntUnaryOperator numbers) {
    return IntStream.range(0, count)
        .map(numbers)
        .sorted()
        .mapToObj(Bytes::toBytes)
        .toArray(byte[][]::new);
  }

  private static byte[][] uniform(int count) {
    Random random = new Random(20250601);
    return tokens(count, i -> random.nextInt(WIDTH));
  }

  /** The share of the range from the first token to the last that is in no zone. */
  private static double leftOut(List<TokenRange> zones) {
    double within = 0;
    for (TokenRange zone : zones) {
      within += number(zone.end().orElseThrow()) - number(zone.first());
    }
    double all =
        number(zones.get(zones.size() - 1).end().orElseThrow()) - number(zones.get(0).first());
    return 1 - within / all;
  }

  private static double number(byte[] token) {
    return new BigInteger(1, Arrays.copyOf(token, Integer.BYTES)).doubleValue();
  }

  /** A gap of just the threshold is none. */
  @Test
  void aGap_isWiderThanTheMeanOnes() {
    byte[][] tokens = {{7, 0}, {7, 4}, {7, 8}};
    assertThat(divide(1, ANY, tokens)).hasSize(1);
    assertThat(divide(0, ANY, tokens)).hasSize(3);
    assertThat(divide(0, 2, tokens)).as("equals").hasSize(1);
    assertThat(divideWithin(15, 0, ANY, tokens)).hasSize(3);
    assertThat(divideWithin(4, 0, ANY, tokens)).as("no room for two").hasSize(1);
    byte[][] second = {{0, 0}, {0, 100}, {1, 0}};
    assertThat(divide(1, ANY, second).get(0).contains(second[1])).isTrue();
    assertThat(divide(1, ANY, second).get(1).first()).isEqualTo(second[2]);
    assertThat(divide(1, ANY, new byte[] {7}, new byte[] {7, 0, 0, 1}, new byte[] {7, 1}))
        .hasSize(2);
    assertThat(divide(0, ANY, new byte[] {7}, new byte[] {7})).hasSize(1);
    assertThat(divide(0, ANY, new byte[] {7})).hasSize(1);
  }

  /** As the exponential distribution of gaps has it. */
  @Test
  void ofUniformTokens_theShareThatTheFactorSays() {
    int many = 10 * TOKENS;
    for (int factor = 1; factor <= 4; factor++) {
      List<TokenRange> zones = divide(factor, ANY, uniform(many));
      double share = Math.exp(-factor);
      assertThat(zones.size() / (double) many).isBetween(share / 1.25, share * 1.25);
      assertThat(leftOut(zones))
          .isBetween((1 + factor) * share / 1.25, (1 + factor) * share * 1.25);
    }
    assertThat(divide(4, 16, uniform(TOKENS))).hasSizeBetween(8, 16);
  }

  @Test
  void ofClusters_eachIsAZone() {
    Random random = new Random(1);
    byte[][] tokens = tokens(TOKENS, i -> i % 10 * (WIDTH / 10) + random.nextInt(WIDTH / 1_000));
    for (int most : new int[] {10, 16, ANY}) {
      assertThat(divide(8, most, tokens)).hasSize(10);
    }
    assertThat(leftOut(divide(8, 16, tokens))).isGreaterThan(0.98);
    assertThat(divide(8, 9, tokens)).hasSizeLessThan(10);
  }

  /** Most at the low end, where many rows have the same; the gaps are at the other. */
  @Test
  void ofSkewedTokens_theRareOnesAreByThemselves() {
    Random random = new Random(2);
    byte[][] tokens = tokens(TOKENS, i -> (int) Math.pow(WIDTH, random.nextDouble()));
    List<TokenRange> zones = divide(4, 16, tokens);
    assertThat(zones).hasSizeBetween(8, 16);
    assertThat(leftOut(zones)).isGreaterThan(0.2);
    assertThat(zones.get(0).contains(tokens[TOKENS / 2])).isTrue();
  }

  @Property
  void noTokenIsMissed(
      @ForAll @NotEmpty @Size(max = 60) List<byte[]> drawn,
      @ForAll @IntRange(max = 5) int factor,
      @ForAll @IntRange(min = 1, max = 9) int most) {
    byte[][] tokens = drawn.stream().sorted(Bytes.BYTES_COMPARATOR).toArray(byte[][]::new);
    List<TokenRange> zones = divide(factor, most, tokens);
    assertThat(zones).hasSizeBetween(1, most);
    for (byte[] token : tokens) {
      assertThat(zones).as(Bytes.toStringBinary(token)).anyMatch(zone -> zone.contains(token));
    }
    for (int i = 1; i < zones.size(); i++) {
      Optional<byte[]> end = zones.get(i - 1).end();
      assertThat(Bytes.compareTo(end.orElseThrow(), zones.get(i).first())).isNotPositive();
    }
  }
}
