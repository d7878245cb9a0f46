package io.deli.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.query.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

class KeyColumnsTest {
  private static final WriteId ONE = WriteId.of(1, 1);
  private static final WriteId TWO = WriteId.of(2, 2);
  private static final KeyColumns COLUMNS =
      new KeyColumns(List.of(Column.parse("f:q"), Column.parse("f:p")));

  private static Cell cell(String qualifier, long timestamp, KeyValue.Type type, String value) {
    return new KeyValue(
        Bytes.toBytes("r"),
        Bytes.toBytes("f"),
        Bytes.toBytes(qualifier),
        timestamp,
        type,
        Bytes.toBytes(value));
  }

  private static Cell put(String qualifier, long timestamp, String value) {
    return cell(qualifier, timestamp, KeyValue.Type.Put, value);
  }

  private static Cell put(String qualifier, long timestamp, String value, WriteId id) {
    return PrivateCellUtil.createCell(
        put(qualifier, timestamp, value),
        List.of(new ArrayBackedTag(WriteId.TAG_TYPE, id.toBytes())));
  }

  private static List<Cell> sorted(Cell... cells) {
    return Stream.of(cells).sorted(CellComparator.getInstance()).toList();
  }

  private static String text(Cell version) {
    List<byte[]> values = Tuple.values(CellUtil.cloneValue(version));
    return "%s %s @%d %s"
        .formatted(
            Bytes.toString(values.get(0)),
            Bytes.toString(values.get(1)),
            version.getTimestamp(),
            WriteId.of(version));
  }

  private static List<String> versions(Cell... cells) {
    return COLUMNS.versions(sorted(cells)).stream().map(KeyColumnsTest::text).toList();
  }

  @Example
  void cellsOfOneTimestampAreAVersion() {
    assertThat(
            versions(
                put("p", 2, "b"),
                put("p", 1, "d"),
                put("q", 2, "a"),
                put("q", 1, "c"),
                put("o", 1, "x")))
        .containsExactly("a b @2 ", "c d @1 ");
    assertThat(versions(put("p", 2, "b"), put("q", 1, "a"))).isEmpty();
    assertThat(versions(cell("p", 2, KeyValue.Type.DeleteColumn, ""), put("q", 2, "a"))).isEmpty();
    Cell version = COLUMNS.versions(sorted(put("p", 2, "b"), put("q", 2, "a"))).get(0);
    assertThat(CellUtil.matchingColumn(version, Bytes.toBytes("f"), Bytes.toBytes("q"))).isTrue();
  }

  /** Of those without an id, which were there before the index, nobody knows. */
  @Example
  void cellsOfOneTimestampOfDifferentWritesAreSeveral() {
    assertThat(
            versions(
                put("p", 2, "b", ONE),
                put("p", 2, "d", TWO),
                put("q", 2, "a", ONE),
                put("q", 2, "c", TWO)))
        .containsExactlyInAnyOrder("a b @2 " + ONE, "c d @2 " + TWO);
    assertThat(versions(put("p", 2, "b", ONE), put("q", 2, "a"))).containsExactly("a b @2 " + ONE);
  }

  @Example
  void twinsThatDifferInTheirAgeAloneAreOne() {
    assertThat(
            versions(
                put("p", 2, "b", ONE),
                put("p", 2, "b", ONE),
                put("p", 2, "b"),
                put("q", 2, "a", ONE),
                put("q", 2, "a", ONE)))
        .containsOnly("a b @2 " + ONE);
  }

  @Example
  void twinsWithoutIdsMultiply() {
    List<Cell> nameless = new ArrayList<>();
    List<Cell> named = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      for (String qualifier : List.of("p", "q")) {
        nameless.add(put(qualifier, 2, "v" + i));
        named.add(put(qualifier, 2, "v" + i, WriteId.of(1, i)));
      }
    }
    assertThat(COLUMNS.areTooMany(nameless)).isTrue();
    assertThat(COLUMNS.areTooMany(nameless.subList(0, 100))).isFalse();
    assertThat(COLUMNS.versions(nameless.subList(0, 100))).hasSize(50 * 50);
    assertThat(COLUMNS.areTooMany(named)).isFalse();
    assertThat(COLUMNS.versions(named)).hasSize(200);
    List<Cell> large =
        List.of(put("p", 2, "v".repeat(20 << 20)), put("p", 2, "w"), put("q", 2, "a"));
    assertThat(COLUMNS.areTooMany(large)).isTrue();
    assertThat(COLUMNS.areTooMany(large.subList(1, 3))).isFalse();
  }

  /** Each write has one version, with its one cell; the others are of no write. */
  @Example
  void twinsWithIds_takeTimeThatGrowsWithTheirNumber() {
    int many = 60_000;
    List<Cell> twins = new ArrayList<>(List.of(put("p", 2, "b")));
    for (int i = 0; i < many; i++) {
      twins.add(put("q", 2, "v" + i));
      twins.add(put("q", 2, "v" + i, WriteId.of(1, i)));
    }
    List<Cell> versions =
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> COLUMNS.versions(twins));
    assertThat(versions).hasSize(2 * many);
  }

  /** As where the delete of a newer one has a column's put again, before the index is made. */
  @Example
  void theOnlyCellsOfOneTimestampAreAVersion_whateverTheirIds() {
    assertThat(versions(put("p", 2, "b", ONE), put("q", 2, "a", TWO)))
        .containsExactly("a b @2 " + TWO);
  }

  @Example
  void theNewestVersionHasTheNewestOfEachColumn() {
    Result row =
        Result.create(
            sorted(put("p", 2, "b"), put("p", 1, "d"), put("q", 2, "a"), put("q", 1, "c")));
    assertThat(COLUMNS.newest(row).map(KeyColumnsTest::text)).hasValue("a b @2 ");
    assertThat(COLUMNS.unjoined(row.listCells())).isEmpty();
    Result apart = Result.create(sorted(put("p", 1, "d"), put("q", 2, "a"), put("q", 1, "c")));
    assertThat(COLUMNS.newest(apart)).isEmpty();
    assertThat(COLUMNS.unjoined(apart.listCells())).hasSize(2);
    Result one = Result.create(sorted(put("q", 2, "a")));
    assertThat(COLUMNS.newest(one)).isEmpty();
    assertThat(COLUMNS.unjoined(one.listCells())).isEmpty();
    assertThat(COLUMNS.newest(Result.EMPTY_RESULT)).isEmpty();
  }

  @Example
  void oneColumnHasItsOwnCells() {
    KeyColumns one = new KeyColumns(List.of(Column.parse("f:q")));
    List<Cell> cells = sorted(put("p", 1, "d"), put("q", 2, "a"), put("q", 1, "c"));
    assertThat(one.versions(cells)).containsExactly(cells.get(1), cells.get(2));
    assertThat(one.versions(Result.create(cells))).containsExactly(cells.get(1), cells.get(2));
    assertThat(one.newest(Result.create(cells))).hasValue(cells.get(1));
    assertThat(one.unjoined(cells)).isEmpty();
  }
}
