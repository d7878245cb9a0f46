package io.deli.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No arm is always at the same place, or always after the same other. */
class RoundsTest {
  private static List<Integer> arms(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 8, 9})
  void eachIsEquallyOftenAtEachPlaceAndAfterEachOther(int count) {
    Map<List<Integer>, Integer> places = new HashMap<>();
    Map<List<Integer>, Integer> pairs = new HashMap<>();
    for (int round = -count; round < count; round++) {
      List<Integer> order = Lab.ordered(arms(count), round);
      assertThat(order).containsExactlyInAnyOrderElementsOf(arms(count));
      for (int place = 0; place < count; place++) {
        places.merge(List.of(place, order.get(place)), 1, Integer::sum);
        if (place > 0) {
          pairs.merge(order.subList(place - 1, place + 1), 1, Integer::sum);
        }
      }
    }
    assertThat(places.values()).hasSize(count * count).allMatch(times -> times == 2);
    assertThat(pairs.values()).hasSize(count * (count - 1)).allMatch(times -> times == 2);
  }

  @Test
  void warmupsComeFirstAndRoundZeroIsAsGiven() throws IOException {
    List<String> ran = new ArrayList<>();
    Lab.interleaved(1, 2, List.of("a", "b"), (arm, round) -> ran.add(round + arm));
    assertThat(ran).containsExactly("-1b", "-1a", "0a", "0b", "1b", "1a");
  }
}
