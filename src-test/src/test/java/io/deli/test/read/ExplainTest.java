package io.deli.test.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.deli.client.Continuation;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.Explanation;
import io.deli.client.Explanation.Access;
import io.deli.client.Explanation.Estimate;
import io.deli.client.Explanation.Step;
import io.deli.client.IndexUnavailableException;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.query.Condition.OnIndex;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.RegionServerRpcs;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An explanation says what a query reads, and the region servers have counted the same. */
class ExplainTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] OLD = Bytes.toBytes("old");
  private static final byte[] NEW = Bytes.toBytes("new");
  private static final List<String> STRATEGIES = List.of("deferred", "eager", "none", "embedded");
  private static final int ROWS = 40;
  private static final int UPDATED = 30;

  private static TableName name;
  @AutoClose private static DeliConnection connection;
  private static DeliTable table;

  /** An index of each strategy on a column of its own; in the end rows 10 to 39 are updated. */
  @BeforeAll
  static void fill() throws Exception {
    name =
        TestTable.createAsOperator(
                TestTable.describe("explain", 1),
                STRATEGIES.stream().map(each -> index(each).withStrategy(each)).toList(),
                Bytes.toBytes("r20"))
            .name();
    MiniCluster.spread(name);
    connection = MiniCluster.connect();
    table = connection.getTable(name);
    write(0, OLD);
    write(ROWS - UPDATED, NEW);
    // Finds the regions.
    for (String strategy : STRATEGIES) {
      assertThat(table.explain(find(strategy, NEW)).reads().hits()).isEqualTo(UPDATED);
    }
  }

  private static IndexDefinition index(String strategy) {
    return IndexDefinition.on(strategy, Column.of(FAMILY, Bytes.toBytes(strategy)));
  }

  private static void write(int from, byte[] value) throws IOException {
    for (int i = from; i < ROWS; i++) {
      Put put = new Put(Bytes.toBytes("r%02d".formatted(i)));
      STRATEGIES.forEach(strategy -> put.addColumn(FAMILY, Bytes.toBytes(strategy), value));
      table.put(put);
    }
  }

  private static ValueQuery find(String strategy, byte[] value) {
    return ValueQuery.on(strategy).equalTo(value);
  }

  /** Explains a query while the region servers count its requests, too. */
  private static Explanation explain(ValueQuery query) throws Exception {
    Explanation[] explained = new Explanation[1];
    RegionServerRpcs counted = RegionServerRpcs.of(() -> explained[0] = table.explain(query));
    assertThat(explained[0].reads().scanRequests()).isEqualTo(counted.scans());
    assertThat(explained[0].reads().getRequests()).isEqualTo(counted.multis());
    assertThat(counted.gets()).isZero();
    return explained[0];
  }

  private static Step only(Explanation explanation) {
    assertThat(explanation.steps()).hasSize(1);
    return explanation.steps().get(0);
  }

  private static void assertReads(
      Explanation explanation, long scans, long gets, long entries, long stale, long hits) {
    assertThat(explanation.reads())
        .extracting("scanRequests", "getRequests", "entries", "stale", "hits")
        .containsExactly(scans, gets, entries, stale, hits);
    assertThat(explanation.reads().bytes()).isGreaterThan(20 * hits);
  }

  @Test
  void aPageIsOneScanAndOneMultiGetPerServer() throws Exception {
    Explanation explanation = explain(find("deferred", NEW));
    assertReads(explanation, 1, 2, UPDATED, 0, UPDATED);
    assertThat(explanation.pageRows()).isEqualTo(256);
    assertThat(explanation.readsAhead()).isTrue();
    assertThat(explanation.sorts()).isFalse();
    assertThat(explanation.limit()).isEmpty();
    Step step = only(explanation);
    assertThat(step.condition()).hasToString("deferred = new");
    assertThat(step.strategy()).isEqualTo("deferred");
    assertThat(step.access()).isEqualTo(Access.INDEX_RANGE);
    assertThat(step.tested()).isEmpty();
    assertThat(step.lookup().table()).isEqualTo(IndexDefinitions.indexTable(name, "deferred"));
    assertThat(Bytes.toStringBinary(step.lookup().startRow())).startsWith("new");
    assertThat(step.lookup().tokens().first()).isEqualTo(NEW);
  }

  @Test
  void staleEntriesAreCounted() throws Exception {
    assertReads(explain(find("deferred", OLD)), 1, 2, ROWS, UPDATED, ROWS - UPDATED);
  }

  @Test
  void ofARowPutAgainWithTimestamps_fewEntriesAreRead() throws Exception {
    TableName again =
        TestTable.createAsOperator(TestTable.describe("again", 1), List.of(index("deferred")))
            .name();
    try (DeliTable rows = connection.getTable(again)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 1; i <= 100; i++) {
        puts.add(new Put(OLD).addColumn(FAMILY, Bytes.toBytes("deferred"), i, NEW));
      }
      rows.put(puts);
      assertThat(rows.explain(find("deferred", NEW)).reads())
          .extracting("entries", "hits")
          .containsExactly(16L, 1L);
    }
  }

  @Test
  void aLimitReadsNoFurther() throws Exception {
    Explanation explanation = explain(find("deferred", NEW).limit(3));
    assertReads(explanation, 1, 1, 3, 0, 3);
    assertThat(explanation.limit()).hasValue(3);
    assertThat(explanation.pageRows()).isEqualTo(3);
    assertThat(explanation.readsAhead()).isFalse();
    assertThat(explanation.continues()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aContinuationLeavesTheRest(boolean reversed) throws Exception {
    ValueQuery query = reversed ? find("deferred", NEW).reversed() : find("deferred", NEW);
    Continuation continuation;
    try (ValueScanner hits = table.readValue(query.limit(3))) {
      hits.forEach(hit -> {});
      continuation = hits.continuation().orElseThrow();
    }
    Explanation explanation = explain(query.from(continuation));
    assertReads(explanation, 1, 2, UPDATED - 3, 0, UPDATED - 3);
    Step step = only(explanation);
    assertThat(step.reversed()).isEqualTo(reversed);
    assertThat(Bytes.toStringBinary(step.lookup().startRow()).contains("r12")).isEqualTo(!reversed);
    assertThat(Bytes.toStringBinary(step.lookup().stopRow()).contains("r37")).isEqualTo(reversed);
  }

  @Test
  void theMostRecentAreSorted() throws Exception {
    Explanation explanation = explain(find("deferred", NEW).mostRecent(5));
    // Entries of one server's rows, the newest.
    assertReads(explanation, 1, 1, 5, 0, 5);
    assertThat(explanation.pageRows()).isEqualTo(4 * 256);
    assertThat(explanation.readsAhead()).isFalse();
    assertThat(explanation.sorts()).isTrue();
    assertThat(explanation.limit()).hasValue(5);
    assertThat(explanation.continues()).isFalse();
  }

  @Test
  void aListIsOneRow() throws Exception {
    Explanation explanation = explain(find("eager", OLD));
    assertReads(explanation, 1, 2, ROWS, UPDATED, ROWS - UPDATED);
    Step step = only(explanation);
    assertThat(step.access()).isEqualTo(Access.INDEX_ROW);
    assertThat(step.lookup().newestFirst()).isTrue();
    assertThat(only(explain(ValueQuery.on("eager").atLeast(NEW))).access())
        .isEqualTo(Access.INDEX_RANGE);
  }

  @Test
  void theBaseTableNeedsNoVerification() throws Exception {
    Explanation explanation = explain(find("none", OLD));
    assertReads(explanation, 2, 0, ROWS - UPDATED, 0, ROWS - UPDATED);
    assertThat(explanation.reads().servers().rows()).isEqualTo(ROWS);
    assertThat(explanation.reads().servers().rowsFiltered()).isEqualTo(UPDATED);
    Step step = only(explanation);
    assertThat(step.access()).isEqualTo(Access.BASE_TABLE);
    assertThat(step.lookup().table()).isEqualTo(name);
    assertThat(step.lookup().startRow()).isEmpty();
  }

  @Test
  void anEmbeddedIndexLooksAtCandidatesOnly() throws Exception {
    Explanation explanation = explain(find("embedded", NEW));
    assertReads(explanation, 2, 0, UPDATED, 0, UPDATED);
    assertThat(only(explanation).access()).isEqualTo(Access.BASE_TABLE);
    assertThat(explanation.reads().servers().rows()).isEqualTo(UPDATED);
  }

  @Test
  void andTestsFurtherConditionsOnBaseRows() throws Exception {
    ValueQuery none = ValueQuery.on("none").equalTo(OLD);
    Explanation explanation = explain(find("deferred", NEW).and(none));
    assertReads(explanation, 1, 2, UPDATED, 0, 0);
    assertThat(only(explanation).tested()).extracting(OnIndex::index).containsExactly("none");
  }

  @Test
  void andIsFoundByAConditionWithFewEntries_ratherThanByAllRows() throws Exception {
    Explanation explanation = explain(find("none", OLD).and(find("deferred", NEW)));
    assertReads(explanation, 1, 2, UPDATED, 0, 0);
    assertThat(explanation.estimates())
        .extracting(Estimate::entries, Estimate::all, Estimate::chosen)
        .containsExactly(tuple(UPDATED, true, true));
  }

  @Test
  void orIsOneStepAfterTheOther() throws Exception {
    Explanation explanation = explain(find("none", OLD).or(find("deferred", NEW)));
    // At its end, both regions of the base table are asked for rows that changed meanwhile.
    assertReads(explanation, 3 + 2, 2, ROWS, 0, ROWS);
    assertThat(explanation.steps())
        .extracting(Step::strategy, Step::access)
        .containsExactly(tuple("deferred", Access.INDEX_RANGE), tuple("none", Access.BASE_TABLE));
  }

  @Test
  void orOfSidesThatScanTheBaseTableIsOneScan() throws Exception {
    Explanation explanation = explain(find("none", OLD).or(find("embedded", NEW)));
    assertReads(explanation, 2, 0, ROWS, 0, ROWS);
    assertThat(explanation.steps())
        .extracting(Step::strategy, Step::access)
        .containsExactly(tuple("none", Access.BASE_TABLE), tuple("embedded", Access.BASE_TABLE));
  }

  @Test
  void anEmptyRangeReadsNothing() throws Exception {
    Explanation explanation = explain(ValueQuery.on("deferred").between(OLD, NEW));
    assertThat(only(explanation).access()).isEqualTo(Access.NOTHING);
    assertThat(explanation.reads().scanRequests()).isZero();
    assertThat(explanation.reads().getRequests()).isZero();
  }

  @Test
  void whatCannotBeReadCannotBeExplained() {
    ValueQuery unknown = find("unknown", NEW);
    IndexUnavailableException refused =
        catchThrowableOfType(IndexUnavailableException.class, () -> table.readValue(unknown));
    assertThat(refused).hasMessageContaining("'unknown'");
    assertThatThrownBy(() -> table.explain(unknown))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessage(refused.getMessage());
    assertThatThrownBy(() -> table.explain(find("deferred", NEW).versions(9)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
