package io.deli.coprocessor.internal.compactiontrigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.compactiontrigger.SamplePositions.Part;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class SamplePositionsTest {
  private static Part part(String row, double cells) {
    return new Part(Bytes.toBytes(row), cells);
  }

  private static List<String> choose(int count, double phase, Part... parts) {
    return SamplePositions.choose(List.of(parts), count, phase).stream()
        .map(Bytes::toString)
        .toList();
  }

  @Test
  void equalPartsComeOnceEachInTheOrderOfRows() {
    assertThat(choose(4, 0.3, part("b", 10), part("d", 10), part("a", 10), part("c", 10)))
        .containsExactly("a", "b", "c", "d");
  }

  @Test
  void aPartComesAsOftenAsItHasCells() {
    assertThat(choose(4, 0.5, part("a", 1), part("b", 2), part("c", 1)))
        .containsExactly("a", "b", "b", "c");
  }

  @Test
  void thereAreAsManyWhateverThePhase() {
    for (double phase = 0; phase < 1; phase += 0.001) {
      assertThat(choose(32, phase, part("a", 1.0 / 3), part("b", 77.7), part("c", 1e-9)))
          .hasSize(32);
    }
  }

  @Test
  void withoutPartsThereAreNone() {
    assertThat(choose(32, 0.5)).isEmpty();
  }
}
