package io.deli.test.read;

import static io.deli.test.read.ChangingTable.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.config.DeliSettings;
import io.deli.index.Column;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.TestTable;
import io.deli.test.read.ChangingTable.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A row that satisfies a query all the time comes once, wherever it moves meanwhile. */
class ChangingRowsTest {
  private static final int ROWS = 6;
  private static final Map<Kind, ChangingTable> TABLES = new EnumMap<>(Kind.class);

  @AfterAll
  static void close() throws Exception {
    for (ChangingTable table : TABLES.values()) {
      table.close();
    }
  }

  /** A table whose readers take one entry at a time; rows of a test begin with its name. */
  private static ChangingTable table(Kind kind) throws Exception {
    ChangingTable table = TABLES.get(kind);
    if (table == null) {
      table = new ChangingTable(kind, 1);
      TABLES.put(kind, table);
    }
    table.base.clear();
    table.a.clear();
    table.b.clear();
    return table;
  }

  @ParameterizedTest
  @EnumSource
  void equality_rowPutAgainBetweenEntryAndVerification(Kind kind) throws Exception {
    ChangingTable table = table(kind);
    table.put("again", "a", "again");
    table.base.once(Moment.GET, (region, get) -> table.put("again", "a", "again"));
    assertThat(table.rows(ValueQuery.on("a").equalTo(bytes("again")))).containsExactly("again");
  }

  @ParameterizedTest
  @EnumSource
  void equality_rowsPutAgainBetweenPages(Kind kind) throws Exception {
    ChangingTable table = table(kind);
    List<String> rows = put(table, "pages", "same", "same", "same", "same", "same", "same");
    for (ValueQuery query : directions(ValueQuery.on("a").equalTo(bytes("same")))) {
      assertFound(
          rows,
          table,
          query,
          () -> {
            for (String row : rows) {
              table.put(row, "a", "same");
            }
            table.collect();
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void range_valueMovesBackwards(Kind kind) throws Exception {
    ChangingTable table = table(kind);
    List<String> rows = put(table, "back", "b1", "b2", "b3", "b4", "b5", "b6");
    ValueQuery query = ValueQuery.on("a").between(bytes("b"), bytes("c"));
    assertFound(
        rows,
        table,
        query,
        () -> {
          table.put(rows.get(5), "a", "b0");
          table.collect();
        });
    assertFound(
        rows,
        table,
        query.reversed(),
        () -> {
          table.put(rows.get(5), "a", "b6");
          table.put(rows.get(0), "a", "b9");
          table.collect();
        });
  }

  /** Its timestamp is older than what a query looks back for, and its entry is not there yet. */
  @Test
  void range_valueMovesBackwardsByAWriteThatStalls() throws Exception {
    String margin = DeliSettings.READ_SKEW.key();
    try (ChangingTable table = new ChangingTable(Kind.IN_PLACE, 1, margin, "2000")) {
      TestTable.set(table.name(), margin, "2000");
      List<String> rows = new ArrayList<>();
      for (int i = 1; i <= ROWS; i++) {
        rows.add("stalls" + i);
        table.put("stalls" + i, "a", "s" + i);
      }
      List<String> found = new ArrayList<>();
      AtomicReference<ValueScanner> reading = new AtomicReference<>();
      table.a.once(
          Moment.PUT,
          (region, put) -> {
            TimeUnit.MILLISECONDS.sleep(2_100);
            reading.set(
                table.open(ValueQuery.on("a").between(Bytes.toBytes("s"), Bytes.toBytes("t"))));
            found.add(Bytes.toString(reading.get().next().orElseThrow().row()));
          });
      table.put(rows.get(ROWS - 1), "a", "s0");
      Eventually.holds(() -> assertThat(table.entries()).noneMatch(each -> each.startsWith("s6")));
      ChangingTable.rest(reading.get(), found);
      assertThat(found).containsExactlyInAnyOrderElementsOf(rows);
    }
  }

  @ParameterizedTest
  @EnumSource
  void range_valueMovesForwards(Kind kind) throws Exception {
    ChangingTable table = table(kind);
    List<String> rows = put(table, "forth", "f1", "f2", "f3", "f4", "f5", "f6");
    ValueQuery query = ValueQuery.on("a").between(bytes("f"), bytes("g"));
    assertFound(
        rows,
        table,
        query,
        () -> {
          table.put(rows.get(0), "a", "f8");
          table.put(rows.get(1), "a", "f9");
        });
    assertFound(
        rows,
        table,
        query.reversed(),
        () -> {
          table.put(rows.get(1), "a", "f0");
          table.collect();
        });
  }

  @ParameterizedTest
  @EnumSource
  void range_valueMovesBackwardsBetweenEntryAndVerification(Kind kind) throws Exception {
    ChangingTable table = table(kind);
    List<String> rows = put(table, "slip", "y1", "y2", "y3", "y4", "y5", "y6");
    table.base.once(Moment.GET, (region, get) -> table.put(rows.get(0), "a", "y0"));
    assertThat(table.rows(ValueQuery.on("a").prefix(bytes("y"))))
        .containsExactlyInAnyOrderElementsOf(rows);
  }

  @ParameterizedTest
  @EnumSource
  void or_otherSideTogglesBetweenScans(Kind kind) throws Exception {
    ChangingTable table = table(kind);
    ValueQuery query =
        ValueQuery.on("a").equalTo(bytes("one")).or(ValueQuery.on("b").equalTo(bytes("two")));

    table.putBoth("or", "zero", "two");
    atScanOfB(table, () -> table.put("or", "a", "one"));
    assertThat(table.rows(query)).as("a appears").containsExactly("or");

    atScanOfB(table, () -> table.put("or", "a", "zero"));
    assertThat(table.rows(query)).as("a disappears").containsExactly("or");
    table.putBoth("or", "none", "none");
  }

  @ParameterizedTest
  @EnumSource
  void or_rowChangesSidesBetweenScans(Kind kind) throws Exception {
    ChangingTable table = table(kind);
    ValueQuery query =
        ValueQuery.on("a").equalTo(bytes("left")).or(ValueQuery.on("b").equalTo(bytes("right")));
    table.putBoth("sides", "left", "none");
    table.putBoth("sides", "none", "right");
    table.collect();
    atScanOfB(
        table,
        () -> {
          table.putBoth("sides", "left", "none");
          table.collect();
        });
    assertThat(table.rows(query)).as("to the left").containsExactly("sides");

    atScanOfB(table, () -> table.putBoth("sides", "none", "right"));
    assertThat(table.rows(query)).as("to the right").containsExactly("sides");
    table.putBoth("sides", "none", "none");
  }

  @ParameterizedTest
  @EnumSource
  void or_looksAgainOnlyAtRowsThatCameToItsValues(Kind kind) throws Exception {
    ChangingTable table = table(kind);
    put(table, "other", "o1", "o2", "o3", "o4", "o5", "o6");
    ValueQuery query =
        ValueQuery.on("a").equalTo(bytes("mine")).or(ValueQuery.on("b").equalTo(bytes("mine")));
    AtomicInteger gets = new AtomicInteger();
    atScanOfB(
        table,
        () -> {
          table.put("came", "a", "mine");
          table.base.each(Moment.GET, (region, get) -> gets.incrementAndGet());
        });
    assertThat(table.rows(query)).containsExactly("came");
    assertThat(gets).hasValue(kind.scansBase() ? 0 : 1);
    table.put("came", "a", "other");
  }

  @ParameterizedTest
  @EnumSource
  void and_drivingValueMovesBackwards(Kind kind) throws Exception {
    ChangingTable table = table(kind);
    List<String> rows = new ArrayList<>();
    for (int i = 1; i <= ROWS; i++) {
      rows.add("and" + i);
      table.putBoth("and" + i, "d" + i, "and");
    }
    ValueQuery query =
        ValueQuery.on("a")
            .between(bytes("d"), bytes("e"))
            .and(ValueQuery.on("b").equalTo(bytes("and")));
    assertFound(
        rows,
        table,
        query,
        () -> {
          table.put(rows.get(5), "a", "d0");
          table.collect();
        });
  }

  @ParameterizedTest
  @EnumSource
  void hit_tellsWhatTheRowHasNow(Kind kind) throws Exception {
    ChangingTable table = table(kind);
    List<String> rows = put(table, "now", "h1", "h2", "h3", "h4", "h5", "h6");
    Column b = Column.parse("f:b");
    List<String> hits = new ArrayList<>();
    ValueQuery query = ValueQuery.on("a").prefix(bytes("h")).project(b);
    try (ValueScanner scanner = table.open(query)) {
      hits.add(text(scanner.next().orElseThrow()));
      table.putBoth(rows.get(5), "h0", "moved");
      table.collect();
      scanner.forEach(hit -> hits.add(text(hit)));
    }
    assertThat(hits).hasSize(ROWS).contains("now6 h0 moved").doesNotContain("now6 h6 null");
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"EMBEDDED", "NEXT", "NONE"})
  void mostRecent_rowPutAgainMeanwhileCountsWithItsNewTimestamp(Kind kind) throws Exception {
    ChangingTable table = table(kind);
    List<String> rows = put(table, "recent", "r", "r", "r", "r", "r", "r");
    table.base.once(Moment.GET, (region, get) -> table.put(rows.get(3), "a", "r"));
    ValueQuery query = ValueQuery.on("a").equalTo(bytes("r"));
    assertThat(table.rows(query.mostRecent(3))).containsExactly("recent4", "recent6", "recent5");
    assertThat(table.rows(query.mostRecent(3))).containsExactly("recent4", "recent6", "recent5");
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"EMBEDDED", "NEXT", "NONE"})
  void mostRecent_rowThatBecomesTheNewestMeanwhileIsFound(Kind kind) throws Exception {
    ChangingTable table = table(kind);
    List<String> rows = put(table, "newest", "n1", "n2", "n3", "n4", "n5", "n6");
    ValueQuery query = ValueQuery.on("a").prefix(bytes("n")).mostRecent(2);
    assertThat(table.rows(query)).containsExactly("newest6", "newest5");
    table.base.once(Moment.GET, (region, get) -> table.put(rows.get(0), "a", "n0"));
    assertThat(table.rows(query)).containsExactly("newest1", "newest6");
  }

  @ParameterizedTest
  @EnumSource
  void limit_isKeptWhereRowsMove(Kind kind) throws Exception {
    ChangingTable table = table(kind);
    List<String> rows = put(table, "limit", "l1", "l2", "l3", "l4", "l5", "l6");
    ValueQuery query = ValueQuery.on("a").prefix(bytes("l")).limit(ROWS - 1);
    assertThat(
            rows(
                table,
                query,
                () -> {
                  table.put(rows.get(5), "a", "l0");
                  table.put(rows.get(4), "a", "l01");
                  table.collect();
                }))
        .hasSize(ROWS - 1)
        .doesNotHaveDuplicates();
  }

  /** A change of a table while a query is under way. */
  @FunctionalInterface
  private interface Change {
    void run() throws Exception;
  }

  /** The second scan, where each index has its own table. */
  private static void atScanOfB(ChangingTable table, Change change) {
    table.b.once(Moment.SCAN, (region, scan) -> change.run());
  }

  private static String text(ValueHit hit) {
    return "%s %s %s"
        .formatted(
            Bytes.toString(hit.row()),
            Bytes.toString(hit.value()),
            Bytes.toString(hit.projected().getValue(Bytes.toBytes("f"), Bytes.toBytes("b"))));
  }

  /** Puts a row for each value, the first first. */
  private static List<String> put(ChangingTable table, String stem, String... values)
      throws Exception {
    List<String> rows = IntStream.rangeClosed(1, values.length).mapToObj(i -> stem + i).toList();
    for (int i = 0; i < values.length; i++) {
      table.put(rows.get(i), "a", values[i]);
    }
    return rows;
  }

  private static List<ValueQuery> directions(ValueQuery query) {
    return List.of(query, query.reversed());
  }

  /** These rows are found, in some order, though something happens behind the first of them. */
  private static void assertFound(
      List<String> rows, ChangingTable table, ValueQuery query, Change change) throws Exception {
    assertThat(rows(table, query, change))
        .as(query.toString())
        .containsExactlyInAnyOrderElementsOf(rows);
  }

  /** The rows found where something happens behind the first of them. */
  private static List<String> rows(ChangingTable table, ValueQuery query, Change change)
      throws Exception {
    List<String> rows = new ArrayList<>();
    try (ValueScanner scanner = table.open(query)) {
      rows.add(Bytes.toString(scanner.next().orElseThrow().row()));
      change.run();
      ChangingTable.rest(scanner, rows);
    }
    return rows;
  }
}
