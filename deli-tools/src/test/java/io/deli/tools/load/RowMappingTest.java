package io.deli.tools.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.ValueType;
import io.deli.tools.load.RecordReader.BadLineException;
import io.deli.tools.load.RecordReader.InputRecord;
import io.deli.tools.output.Texts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RowMappingTest {
  private static final RowMapping MAPPING =
      new RowMapping(
          List.of("country", "id"),
          "/",
          ValueType.STRING,
          Set.of("d"),
          "d",
          Map.of(Column.parse("d:altitude"), ValueType.LONG),
          Set.of("note"));

  @Test
  void joinsTheKeyAndEncodesValues() throws Exception {
    Put put = MAPPING.put(row("country", "Peru", "id", "7", "altitude", "-3", "note", "n"));

    assertThat(put.getRow()).isEqualTo(Bytes.toBytes("Peru/7"));
    assertThat(put.get(Bytes.toBytes("d"), Bytes.toBytes("altitude")).get(0).getValueArray())
        .isNotEmpty();
    assertThat(put.has(Bytes.toBytes("d"), Bytes.toBytes("altitude"), Bytes.toBytes(-3L))).isTrue();
    assertThat(put.has(Bytes.toBytes("d"), Bytes.toBytes("note"))).isFalse();
  }

  /** As queries print them, and as the command line takes them. */
  @Test
  void bytesInKeysAndValuesOfBytes_areReadAsTheyArePrinted() throws Exception {
    byte[] binary = {0, 'a', '\\', (byte) 0xff};
    Column column = Column.parse("d:raw");
    RowMapping mapping =
        new RowMapping(
            List.of("id", "raw"),
            "\\x00",
            ValueType.BYTES,
            Set.of("d"),
            "d",
            Map.of(column, ValueType.BYTES),
            Set.of());
    for (byte[] bytes : List.of(binary, Bytes.toBytes("für 5 €"), Bytes.toBytes("C:\\x64 €"))) {
      String printed = Texts.format(bytes);
      Put put = mapping.put(row("id", printed, "raw", printed));
      assertThat(put.getRow()).isEqualTo(Bytes.add(bytes, new byte[1], bytes));
      assertThat(put.has(column.family(), column.qualifier(), bytes)).isTrue();
    }
  }

  /** Such as a path of Windows, which other programs write as it is. */
  @Test
  void textThatLooksLikeAByte_staysText() throws Exception {
    Put put = MAPPING.put(row("country", "C:\\x64", "id", "7", "path", "C:\\x64"));
    assertThat(put.getRow()).isEqualTo(Bytes.toBytes("C:\\x64/7"));
    assertThat(put.has(Bytes.toBytes("d"), Bytes.toBytes("path"), Bytes.toBytes("C:\\x64")))
        .isTrue();
  }

  @Test
  void aKeyThatIsNotOfItsType_isABadLine() throws Exception {
    RowMapping mapping =
        new RowMapping(List.of("id"), "-", ValueType.INT, Set.of("d"), "d", Map.of(), Set.of());
    assertThat(mapping.put(row("id", "-7")).getRow()).isEqualTo(Bytes.toBytes(-7));
    assertThatThrownBy(() -> mapping.put(row("id", "seven")))
        .isInstanceOf(BadLineException.class)
        .hasMessageContaining("the key: 'seven' is not a valid INT");
  }

  @Test
  void leavesOutNulls() throws Exception {
    Put put = MAPPING.put(row("country", "Peru", "id", "7", "city", null, "altitude", ""));

    assertThat(put.size()).isEqualTo(2);
  }

  @Test
  void refusesWhatIsNoRow() {
    assertThatThrownBy(() -> MAPPING.put(row("country", "Peru", "id", null)))
        .hasMessageContaining("key column id is null");
    assertThatThrownBy(() -> MAPPING.put(row("id", "7")))
        .hasMessageContaining("no column 'country'");
    assertThatThrownBy(() -> MAPPING.put(row("country", "Peru", "id", "7", "altitude", "high")))
        .hasMessageContaining("column altitude: 'high' is not a valid LONG");
    assertThatThrownBy(() -> MAPPING.put(row("country", "P".repeat(40_000), "id", "7")))
        .hasMessageContaining("32767");
  }

  @Test
  void aColumnWhoseFamilyTheTableDoesNotHave_isRefused() {
    assertThatThrownBy(() -> MAPPING.check(List.of("id", "country", "utc:time")))
        .hasMessageContainingAll("no family 'utc', which column utc:time needs", "[d]", "--skip");
    assertThatThrownBy(() -> MAPPING.put(row("country", "Peru", "id", "7", "utc:time", "1")))
        .isInstanceOf(BadLineException.class)
        .hasMessageContaining("no family 'utc'");
    MAPPING.check(List.of("id", "-", "note", "d:city"));
  }

  @Test
  void twoColumnsThatAreOneOfTheTable_areRefused() {
    assertThatThrownBy(() -> MAPPING.check(List.of("id", "city", "city")))
        .hasMessageContainingAll("column d:city twice", "--columns");
    assertThatThrownBy(() -> MAPPING.check(List.of("id", "city", "d:city")))
        .hasMessageContaining("column d:city twice");
    MAPPING.check(List.of("id", "-", "-", "note", "d:note"));
  }

  private static InputRecord row(String... pairs) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      fields.put(pairs[i], pairs[i + 1]);
    }
    return new InputRecord(1, fields);
  }
}
