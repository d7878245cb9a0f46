package io.deli.tools.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.ValueType;
import io.deli.tools.load.RecordReader.BadLineException;
import io.deli.tools.load.RecordReader.InputRecord;
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
