package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.query.TokenRange;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ZoneSplitTest {
  private static List<TokenRange> divide(double threshold, byte[]... tokens) {
    return new ZoneSplit(threshold)
        .divide(
            Arrays.stream(tokens).map(TokenRange::only).toList(),
            of -> TokenRange.of(of.get(0).first(), Optional.of(of.get(of.size() - 1).first())));
  }

  /** A gap of just the threshold is none. */
  @Test
  void aGap_isWiderThanTheShareOfTheRange() {
    byte[][] tokens = {{7, 0}, {7, 4}, {7, 8}};
    assertThat(divide(0.5, tokens)).hasSize(1);
    assertThat(divide(0.49, tokens)).hasSize(3);
    assertThat(divide(1, new byte[] {7, 0x7F}, new byte[] {7, (byte) 0x80})).hasSize(1);
    byte[][] second = {{0, 0}, {0, 100}, {1, 0}};
    assertThat(divide(0.5, second).get(0).contains(second[1])).isFalse();
    assertThat(divide(0.5, second).get(1).first()).isEqualTo(second[2]);
    assertThat(divide(0.5, new byte[] {7}, new byte[] {7, 0, 0, 1}, new byte[] {7, 1})).hasSize(2);
  }
}
