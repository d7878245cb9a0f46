package io.deli.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.ycsb.ValueText.Pattern;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ValueTextTest {
  @Test
  void valuesAreOfOneLength_andSortAsTheirNumbers() {
    for (Pattern pattern : Pattern.values()) {
      for (int length : new int[] {3, 4, 8, 100, 1_024}) {
        check(pattern, length);
      }
    }
  }

  private static void check(Pattern pattern, int length) {
    ValueText text = new ValueText(1_000, length, pattern);
    List<String> all = IntStream.range(0, 1_000).mapToObj(text::text).toList();
    assertThat(all).doesNotHaveDuplicates().isSorted().allMatch(each -> each.length() == length);
    assertThat(all.subList(120, 130))
        .extracting(each -> each.substring(0, text.prefixLength()))
        .containsOnly(all.get(120).substring(0, text.prefixLength()))
        .doesNotContain(all.get(119).substring(0, text.prefixLength()));
  }

  @Test
  void valuesThatAreNested_beginAlikeAsFarAsTheirDigitsAgree() {
    ValueText text = new ValueText(1_000, 100, Pattern.NESTED);
    assertThat(text.text(120)).startsWith("0").contains("1");
    assertThat(text.text(125).substring(0, 75)).isEqualTo(text.text(120).substring(0, 75));
    assertThat(text.text(130).substring(0, 50)).isEqualTo(text.text(120).substring(0, 50));
    assertThat(text.text(130).charAt(50)).isEqualTo('3');
  }
}
