package io.deli.tools.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextsTest {
  @Test
  void everyRowKeyComesBack() {
    List<byte[]> keys =
        List.of(
            "plain".getBytes(StandardCharsets.UTF_8),
            "Zürich 東京".getBytes(StandardCharsets.UTF_8),
            new byte[] {0, 1, (byte) 0xff, 'a', '\\', 'x'},
            "\\x41".getBytes(StandardCharsets.UTF_8),
            "back\\slash".getBytes(StandardCharsets.UTF_8));

    for (byte[] key : keys) {
      assertThat(Texts.parse(Texts.format(key))).isEqualTo(key);
    }
  }

  @Test
  void printsTextAsItIsAndBytesEscaped() {
    assertThat(Texts.format(Texts.parse("Zürich"))).isEqualTo("Zürich");
    assertThat(Texts.format(new byte[] {0, 'a'})).isEqualTo("\\x00a");
    assertThat(Texts.parse("a\\xg1")).isEqualTo(new byte[] {'a', '\\', 'x', 'g', '1'});
  }

  @Test
  void numbersArePrintedAsNumbers() {
    assertThat(Texts.value(ValueType.LONG, ValueType.LONG.parse("-7"))).isEqualTo(-7L);
    assertThat(Texts.value(ValueType.DOUBLE, ValueType.DOUBLE.parse("1.5"))).isEqualTo(1.5);
    assertThat(Texts.value(ValueType.LONG, new byte[] {1, 2})).isEqualTo("\\x01\\x02");
  }
}
