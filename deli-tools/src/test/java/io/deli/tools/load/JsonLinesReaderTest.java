package io.deli.tools.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.tools.load.RecordReader.BadLineException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonLinesReaderTest {
  @Test
  void readsTextsNumbersNullsAndNestedValues() throws Exception {
    RecordReader reader = json("{\"a\":\"x\",\"b\":12,\"c\":null,\"d\":[1,2]}\n");

    Map<String, String> fields = reader.next().orElseThrow().fields();

    assertThat(fields)
        .containsEntry("a", "x")
        .containsEntry("b", "12")
        .containsEntry("c", null)
        .containsEntry("d", "[1,2]");
    assertThat(reader.next()).isEmpty();
  }

  @Test
  void goesOnBehindABadLine() throws Exception {
    RecordReader reader = json("{\"a\":\n[1]\n{\"a\":1}\n");

    assertThatThrownBy(reader::next)
        .isInstanceOfSatisfying(
            BadLineException.class,
            e -> assertThat(e.report()).isEqualTo("line 1: no JSON from column 6 on"));
    assertThatThrownBy(reader::next).hasMessageContaining("no JSON object");
    assertThat(reader.next().orElseThrow().fields()).containsEntry("a", "1");
  }

  @Test
  void aLineWithAKeyTwice_orTextBehindItsObject_isABadLine() throws Exception {
    RecordReader reader = json("{\"a\":1,\"a\":2}\n{\"a\":1} {\"a\":2}\n{\"a\":[{\"b\":1}]}\n");

    assertThatThrownBy(reader::next).hasMessage("has key 'a' twice");
    assertThatThrownBy(reader::next).hasMessage("has text behind its JSON object");
    assertThat(reader.next().orElseThrow().fields()).containsEntry("a", "[{\"b\":1}]");
  }

  private static RecordReader json(String text) {
    return new JsonLinesReader(
        new Lines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
  }
}
