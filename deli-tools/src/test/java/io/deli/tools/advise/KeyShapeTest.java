package io.deli.tools.advise;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyShapeTest {
  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static Set<String> draw(KeyShape shape, int times) {
    Random random = new Random(3);
    Set<String> drawn = new HashSet<>();
    for (int i = 0; i < times; i++) {
      drawn.add(new String(shape.draw(random), StandardCharsets.ISO_8859_1));
    }
    return drawn;
  }

  @Test
  void drawsDigitsWhereThereAreDigits() {
    KeyShape shape = new KeyShape();
    shape.see(key("user000"));
    shape.see(key("user999"));
    assertThat(draw(shape, 1_000))
        .allMatch(key -> key.matches("user\\d{3}"))
        .hasSizeGreaterThan(500);
  }

  @Test
  void learnsFromEachKey() {
    KeyShape shape = new KeyShape();
    shape.see(key("a"));
    shape.see(key("c5"));
    assertThat(draw(shape, 100)).containsExactlyInAnyOrder("a5", "b5", "c5");
    shape.see(key("b4"));
    assertThat(draw(shape, 100)).contains("a4", "c4");
  }

  @Test
  void bytesHaveNoSign() {
    KeyShape shape = new KeyShape();
    shape.see(key("\u0001"));
    shape.see(key("\u00ff"));
    assertThat(draw(shape, 5_000)).hasSize(255).doesNotContain("\u0000");
  }
}
