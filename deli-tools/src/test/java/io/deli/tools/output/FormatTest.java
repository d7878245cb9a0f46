package io.deli.tools.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FormatTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Terminal terminal =
      new Terminal(
          new ByteArrayInputStream(new byte[0]),
          new PrintStream(out, true, StandardCharsets.UTF_8),
          new PrintStream(err, true, StandardCharsets.UTF_8),
          false);

  @Test
  void aTableAlignsNumbersToTheRight() {
    write(Format.TABLE);

    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            """
             name   | feet
            --------+------
             Zürich | 1339
             a,b    |    7
                    |
            (3 rows)
            next: abc
            """);
  }

  @Test
  void csvQuotesAndKeepsFactsApart() {
    write(Format.CSV);

    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("name,feet\nZürich,1339\n\"a,b\",7\n,\n");
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("next: abc\n");
  }

  @Test
  void jsonIsOneDocument() {
    write(Format.JSON);

    assertThat(out.toString(StandardCharsets.UTF_8).replaceAll("\\s", ""))
        .isEqualTo(
            "{\"cities\":[{\"name\":\"Zürich\",\"feet\":1339},{\"name\":\"a,b\",\"feet\":7},{}],"
                + "\"next\":\"abc\"}");
  }

  @Test
  void resultsLongerThanWhatIsMeasuredStream() {
    RowWriter writer = Format.TABLE.writer(terminal, "numbers", List.of("n"), false);
    for (int i = 0; i < 600; i++) {
      writer.row(List.of(i));
    }
    assertThat(out.size()).isPositive();
    writer.end(Map.of());

    assertThat(out.toString(StandardCharsets.UTF_8)).contains("\n 599\n").endsWith("(600 rows)\n");
  }

  private void write(Format format) {
    RowWriter writer = format.writer(terminal, "cities", List.of("name", "feet"), false);
    writer.row(List.of("Zürich", 1339));
    writer.row(List.of("a,b", 7L));
    writer.row(Arrays.asList(null, null));
    writer.end(Map.of("next", "abc"));
  }
}
