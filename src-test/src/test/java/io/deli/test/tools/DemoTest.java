package io.deli.test.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first command of the README, as it is typed there. */
class DemoTest {
  private static final Pattern SURVEY = Pattern.compile("look for garbage.*: ([0-9,]+) stale");

  /** A row of the closing table: index, entries before, stale, entries after, live. */
  private static final Pattern INDEX =
      Pattern.compile("(?m)^ (by_\\w+) +\\| +(\\d+) \\| [^|]+ \\| +(\\d+) \\| +(\\d+)$");

  @TempDir private Path home;

  @Test
  void showsGarbageAndThatItIsGone() throws Exception {
    try (DeliProcess demo = DeliProcess.start(home, List.of("demo"))) {
      assertThat(demo.awaitEnd()).as(demo.transcript()).isZero();

      assertThat(demo.printed()).contains("All answers were right, and the garbage is gone.");
      Matcher survey = SURVEY.matcher(demo.printed());
      assertThat(survey.find()).as(demo.transcript()).isTrue();
      assertThat(survey.group(1)).isNotEqualTo("0");
      assertThat(survey.find()).as(demo.transcript()).isTrue();
      assertThat(survey.group(1)).isEqualTo("0");
      List<String> indexes =
          INDEX
              .matcher(demo.printed())
              .results()
              .peek(
                  row -> {
                    assertThat(row.group(3)).as(row.group()).isEqualTo(row.group(4));
                    assertThat(Long.parseLong(row.group(2))).isGreaterThan(0);
                  })
              .map(row -> row.group(1))
              .toList();
      assertThat(indexes)
          .as(demo.transcript())
          .containsExactly("by_altitude", "by_city", "by_country", "by_status");
    }
  }
}
