package io.deli.tools.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.tools.load.RecordReader.BadLineException;
import io.deli.tools.load.RecordReader.InputRecord;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.junit.jupiter.api.Test;

class DelimitedReaderTest {
  private static final CSVFormat OPENFLIGHTS =
      CSVFormat.DEFAULT.builder().setEscape('\\').setNullString("\\N").get();

  @Test
  void readsTheHeaderAndQuotedValues() throws Exception {
    RecordReader reader = csv("id,name\n1,\"a \"\"b\"\", c\"\n");

    assertThat(reader.next().orElseThrow().fields())
        .isEqualTo(Map.of("id", "1", "name", "a \"b\", c"));
    assertThat(reader.next()).isEmpty();
  }

  @Test
  void readsEscapesAndNullsAsOpenFlightsWritesThem() throws Exception {
    RecordReader reader =
        new DelimitedReader(
            new Lines(utf8("1,\"Goroka \\\"GKA\\\"\",\\N\n2,\"\\\\'\",\"x\"\n")),
            OPENFLIGHTS,
            List.of("id", "name", "iata"));

    Map<String, String> first = reader.next().orElseThrow().fields();
    assertThat(first).containsEntry("name", "Goroka \"GKA\"").containsEntry("iata", null);
    assertThat(reader.next().orElseThrow().fields()).containsEntry("name", "\\'");
  }

  @Test
  void leavesOutColumnsNamedByADash() throws Exception {
    RecordReader reader =
        new DelimitedReader(new Lines(utf8("1,2,3\n")), CSVFormat.DEFAULT, List.of("a", "-", "c"));

    assertThat(reader.next().orElseThrow().fields()).isEqualTo(Map.of("a", "1", "c", "3"));
  }

  /** Elsewhere it is a character like others. */
  @Test
  void passesOverAByteOrderMarkAtTheStartOfTheInput() throws Exception {
    RowFormat format = new RowFormat(false, CSVFormat.DEFAULT, List.of("id"));
    String line = "\uFEFF1";
    Iterator<byte[]> lines = List.of(line.getBytes(StandardCharsets.UTF_8)).iterator();

    assertThat(format.reader(utf8(line)).next().orElseThrow().fields()).containsEntry("id", "1");
    assertThat(format.reader(lines::next).next().orElseThrow().fields()).containsEntry("id", line);
  }

  @Test
  void aBadLineCostsOneRowAndIsNamedByItsNumber() throws Exception {
    RecordReader reader = csv("id,name\n1,x\n2\n3,\"a\"b\n4,\"two\nlines\"\n5,y\n");
    List<String> rows = new ArrayList<>();
    List<String> bad = new ArrayList<>();

    read(reader, rows, bad);

    assertThat(rows).containsExactly("1=x", "4=two\nlines", "5=y");
    assertThat(bad).containsExactly("line 3", "line 4");
  }

  @Test
  void aQuoteThatNobodyCloses_endsTheInputUnlessItIsInTheLastLine() {
    assertBad("id,name\n1,\"open\n2,x\n3,y\n", "not closed", true);
    assertBad("id,name\n1,\"open\n2,\"x\"\n3,y\n", "something else than a delimiter", true);
    assertBad("id,name\n1,\"open\n", "not closed", false);
  }

  private static void assertBad(String text, String reason, boolean endsInput) {
    assertThatThrownBy(() -> csv(text).next())
        .hasMessageContaining(reason)
        .isInstanceOfSatisfying(
            BadLineException.class,
            e -> {
              assertThat(e.report()).startsWith("line 2: ");
              assertThat(e.endsInput()).isEqualTo(endsInput);
            });
  }

  @Test
  void aQuotedValueKeepsItsLines_whateverTheirNumberAndBreaks() throws Exception {
    String value = "one\r\ntwo\n\nthree".repeat(1_000);
    List<String> rows = new ArrayList<>();
    List<String> bad = new ArrayList<>();

    read(csv("id,name\r\n1,\"" + value + "\"\r\n2,x\r\n"), rows, bad);

    assertThat(rows).containsExactly("1=" + value, "2=x");
    assertThat(bad).isEmpty();
  }

  @Test
  void anEscapedLineBreakIsOneCharacter() throws Exception {
    CSVFormat tabs = CSVFormat.TDF.builder().setQuote(null).setEscape('\\').get();
    RecordReader reader =
        new DelimitedReader(new Lines(utf8("1\ta\\\r\nb\r\n2\tc\\")), tabs, List.of("id", "name"));

    assertThat(reader.next().orElseThrow().fields()).containsEntry("name", "a\nb");
    assertThatThrownBy(reader::next).isInstanceOf(BadLineException.class);
    assertThat(reader.next()).isEmpty();
  }

  @Test
  void aNamelessColumnIsRefused() {
    assertThatThrownBy(() -> csv("id,,x\n1,2,3\n").next())
        .isInstanceOf(BadLineException.class)
        .hasMessageContaining("--columns");
  }

  @Test
  void aRowThatIsNotUtf8_isABadLine() throws Exception {
    String text = "id,name\ncaf\u00e9,a\n1,\"x\ncaf\u00e8\n2,y\n\"\n3,z\n";
    List<String> rows = new ArrayList<>();
    List<String> bad = new ArrayList<>();

    read(csv(encoded(text, StandardCharsets.ISO_8859_1)), rows, bad);

    assertThat(rows).containsExactly("3=z");
    assertThat(bad).containsExactly("line 2", "line 4");
  }

  @Test
  void linesEndWithAnyBreak_whereverItLiesInTheBuffer() throws Exception {
    String first = "x".repeat((1 << 16) - "id,name\r1,".length() - 1);
    List<String> rows = new ArrayList<>();

    read(csv("id,name\r1," + first + "\r\n\r\n2,\u00e9\uFFFD\r3,y"), rows, new ArrayList<>());

    assertThat(rows).containsExactly("1=" + first, "2=\u00e9\uFFFD", "3=y");
  }

  private static InputStream utf8(String text) {
    return encoded(text, StandardCharsets.UTF_8);
  }

  private static InputStream encoded(String text, Charset charset) {
    return new ByteArrayInputStream(text.getBytes(charset));
  }

  private static RecordReader csv(String text) {
    return csv(utf8(text));
  }

  private static RecordReader csv(InputStream text) {
    return new DelimitedReader(new Lines(text), CSVFormat.DEFAULT, List.of());
  }

  private static void read(RecordReader reader, List<String> rows, List<String> bad)
      throws Exception {
    while (true) {
      try {
        Optional<InputRecord> row = reader.next();
        if (row.isEmpty()) {
          return;
        }
        rows.add(row.get().fields().get("id") + "=" + row.get().fields().get("name"));
      } catch (BadLineException e) {
        bad.add(e.report().split(":", 2)[0]);
      }
    }
  }
}
