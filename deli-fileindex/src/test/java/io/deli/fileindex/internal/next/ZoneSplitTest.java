package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.query.TokenRange;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ZoneSplitTest {
  /** A gap of just the threshold is none. */
  @Test
  void aGap_isWiderThanTheShareOfTheRange() {
    List<byte[]> tokens = List.of(new byte[] {7, 0}, new byte[] {7, 4}, new byte[] {7, 8});
    ZoneSplit.Bounds bounds = of -> TokenRange.of(of.get(0), Optional.of(of.get(of.size() - 1)));
    assertThat(new ZoneSplit(0.5).divide(tokens, bounds)).hasSize(1);
    assertThat(new ZoneSplit(0.49).divide(tokens, bounds)).hasSize(3);
    List<byte[]> signed = List.of(new byte[] {7, 0x7F}, new byte[] {7, (byte) 0x80});
    assertThat(new ZoneSplit(1).divide(signed, bounds)).hasSize(1);
    List<byte[]> second = List.of(new byte[] {0, 0}, new byte[] {0, 100}, new byte[] {1, 0});
    assertThat(new ZoneSplit(0.5).divide(second, bounds).get(0).contains(second.get(1))).isFalse();
    assertThat(new ZoneSplit(0.5).divide(second, bounds).get(1).first()).isEqualTo(second.get(2));
    List<byte[]> ends = List.of(new byte[] {7}, new byte[] {7, 0, 0, 1}, new byte[] {7, 1});
    assertThat(new ZoneSplit(0.5).divide(ends, bounds)).hasSize(2);
  }
}
