package io.deli.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Medians and ranges are those of the rounds, whatever their order and number. */
class FigureTest {
  @Test
  void oddNumberOfRounds() {
    Figure figure = new Figure("s", List.of(9.0, 1.0, 4.0));
    assertThat(figure.median()).isEqualTo(4);
    assertThat(figure.least()).isEqualTo(1);
    assertThat(figure.greatest()).isEqualTo(9);
  }

  @Test
  void evenNumberOfRoundsTakesTheMiddleOfTwo() {
    assertThat(new Figure("s", List.of(8.0, 1.0, 2.0, 4.0)).median()).isEqualTo(3);
  }
}
