package io.deli.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TraceLineTest {
  @Test
  void anyBytesComeBack() {
    byte[] value = new byte[256];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) i;
    }
    TraceLine line = TraceLine.of("INSERT", "käse\t\\").with(Map.of("feld\n", value));
    TraceLine back = TraceLine.parse(throughFile(line));
    assertThat(line.toString()).doesNotContain("\n", "\r");
    assertThat(back.operation()).isEqualTo("INSERT");
    assertThat(back.text(0)).isEqualTo("käse\t\\");
    assertThat(back.record().get("feld\n").toArray()).isEqualTo(value);
  }

  @Test
  void noFieldsAreAllFields() {
    TraceLine all = TraceLine.parse(TraceLine.of("READ", "key").with((Set<String>) null) + "");
    assertThat(all.fields(1)).isNull();
    TraceLine some = TraceLine.parse(TraceLine.of("READ", "key").with(Set.of("b", "a")) + "");
    assertThat(some.toString()).isEqualTo("READ\tkey\ta\tb");
    assertThat(some.fields(1)).containsExactlyInAnyOrder("a", "b");
  }

  private static String throughFile(TraceLine line) {
    byte[] bytes = line.toString().getBytes(StandardCharsets.ISO_8859_1);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
