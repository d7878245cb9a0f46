package io.deli.tools.advise;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnreadKeysTest {
  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static Set<String> draw(UnreadKeys keys, int times) {
    Random random = new Random(3);
    Set<String> drawn = new HashSet<>();
    for (int i = 0; i < times; i++) {
      drawn.add(new String(keys.draw(random), StandardCharsets.ISO_8859_1));
    }
    return drawn;
  }

  @Test
  void drawsDigitsWhereThereAreDigits() {
    UnreadKeys keys = new UnreadKeys(key("user000"), key("user999\0"));
    keys.see(key("user000"));
    keys.see(key("user999"));
    assertThat(draw(keys, 1_000))
        .allMatch(key -> key.matches("user\\d{3}"))
        .hasSizeGreaterThan(500);
  }

  @Test
  void learnsFromEachKey() {
    UnreadKeys keys = new UnreadKeys(key("a"), key("d"));
    keys.see(key("a"));
    keys.see(key("c5"));
    assertThat(draw(keys, 100)).containsExactlyInAnyOrder("a5", "b5", "c5");
    keys.see(key("b4"));
    assertThat(draw(keys, 100)).contains("a4", "a5", "c4").hasSize(6);
  }

  @Test
  void drawsNothingThatWasTaken() {
    UnreadKeys keys = new UnreadKeys(key("a"), key("d"));
    keys.see(key("a0"));
    keys.see(key("c9"));
    keys.take(key("a5"), key("c5"));
    assertThat(draw(keys, 1_000)).allMatch(key -> key.matches("a[0-4]|c[5-9]")).hasSize(10);
    keys.take(key("0"), key("b"));
    assertThat(draw(keys, 1_000)).allMatch(key -> key.matches("c[5-9]"));
    assertThat(keys.isEmpty()).isFalse();
    keys.take(key("c"), key("x"));
    assertThat(keys.isEmpty()).isTrue();
  }

  /** Rows of digits, and one so far away that nearly all keys between are of no row. */
  @Test
  void anOutlyingKeyCostsFewDraws() {
    byte[] outlier = new byte[8];
    Arrays.fill(outlier, (byte) 0xff);
    UnreadKeys keys = new UnreadKeys(key("user0000"), Arrays.copyOf(outlier, 9));
    keys.see(key("user0000"));
    keys.see(key("user9999"));
    keys.see(outlier);
    Random random = new Random(5);
    Set<Integer> rows = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      byte[] drawn = keys.draw(random);
      int row = rowFrom(new String(drawn, StandardCharsets.ISO_8859_1));
      if (row < 10_000) {
        rows.add(row);
      }
      keys.take(drawn, row < 10_000 ? key("user%04d\0".formatted(row)) : Arrays.copyOf(outlier, 9));
    }
    assertThat(rows).hasSizeGreaterThan(200);
  }

  /** The first row that is not before a key; 10,000 for the outlier. */
  private static int rowFrom(String key) {
    int low = 0;
    int high = 10_000;
    while (low < high) {
      int middle = (low + high) / 2;
      if ("user%04d".formatted(middle).compareTo(key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
