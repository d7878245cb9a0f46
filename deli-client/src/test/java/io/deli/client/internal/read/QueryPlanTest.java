package io.deli.client.internal.read;

import static io.deli.client.internal.read.Plans.A;
import static io.deli.client.internal.read.Plans.B;
import static io.deli.client.internal.read.Plans.BY_KEY;
import static io.deli.client.internal.read.Plans.BY_TIME;
import static io.deli.client.internal.read.Plans.NOW;
import static io.deli.client.internal.read.Plans.RANGE;
import static io.deli.client.internal.read.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.Continuation;
import io.deli.client.Explanation.Access;
import io.deli.client.Explanation.Step;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.internal.read.EntryPage.EntryGroup;
import io.deli.client.internal.read.HitPage.PositionedHit;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.query.TokenRange;
import io.deli.strategy.Lookup;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class QueryPlanTest {
  private static final byte[] ROW = {'r'};

  @Test
  void most_isTheLesserOfLimitAndMostRecent() throws Exception {
    assertThat(plan(BY_KEY).most()).isEmpty();
    assertThat(plan(BY_KEY.limit(5)).most()).hasValue(5);
    assertThat(plan(BY_KEY.mostRecent(3)).most()).hasValue(3);
    assertThat(plan(BY_KEY.mostRecent(3).limit(5)).most()).hasValue(3);
    assertThat(plan(BY_KEY.mostRecent(7).limit(5)).most()).hasValue(5);
  }

  @Test
  void timeEnd_isBehindWhatTheQuerySees() throws Exception {
    assertThat(plan(BY_KEY).timeEnd()).isEqualTo(Long.MAX_VALUE);
    assertThat(plan(BY_KEY.asOf(5)).timeEnd()).isEqualTo(6);
    assertThat(plan(BY_KEY.asOf(Long.MAX_VALUE)).timeEnd()).isEqualTo(Long.MAX_VALUE);
    assertThat(plan(BY_KEY).begun()).isEqualTo(NOW);
  }

  @Test
  void mostRecent_isSorted_unlessEntriesComeSo() throws Exception {
    assertThat(plan(BY_KEY).sortsByTime()).isFalse();
    assertThat(plan(BY_KEY.mostRecent(2)).sortsByTime()).isTrue();
    assertThat(plan(BY_TIME.mostRecent(2)).sortsByTime()).isFalse();
    assertThat(plan(RANGE.mostRecent(2)).sortsByTime()).isTrue();
    assertThat(plan(BY_TIME.or(BY_TIME).mostRecent(2)).sortsByTime()).isTrue();
    assertThat(plan(BY_TIME).continues()).isTrue();
    assertThat(plan(BY_TIME.mostRecent(2)).continues()).isFalse();
  }

  /** One without a table, or without the versions that are asked for, cannot lead. */
  @Test
  void alternatives_areLedByIndexesWhoseEntriesAreEnough() throws Exception {
    ValueQuery newest = ValueQuery.on("newest").equalTo(A);
    ValueQuery none = ValueQuery.on("none").equalTo(A);
    ValueQuery all = BY_KEY.and(newest).and(none).and(BY_TIME);
    assertThat(alternatives(all)).containsExactly("newest", "time");
    assertThat(alternatives(all.asOf(5))).containsExactly("time");
  }

  private static List<String> alternatives(ValueQuery query) throws Exception {
    QueryPlan plan = plan(query);
    return plan.conjunctions().get(0).alternatives(plan.options()).stream()
        .map(each -> each.index().name())
        .toList();
  }

  /** Where a version may turn out to be none, more than those may be needed. */
  @Test
  void newest_isKnown_whereTokensDecide() throws Exception {
    ValueQuery decimal = ValueQuery.on("decimal").equalTo(Bytes.toBytes(new BigDecimal("1.5")));
    assertThat(plan(BY_TIME.mostRecent(2)).newest()).hasValue(2);
    assertThat(plan(BY_TIME.mostRecent(2).limit(1)).newest()).hasValue(1);
    assertThat(plan(BY_TIME.limit(1)).newest()).isEmpty();
    assertThat(plan(BY_TIME.or(BY_KEY).mostRecent(2)).newest()).isEmpty();
    assertThat(plan(BY_TIME.and(BY_KEY).mostRecent(2)).newest()).isEmpty();
    assertThat(plan(decimal.mostRecent(2)).newest()).isEmpty();
  }

  @Test
  void aRowHasOnePlace_whereItsEntriesAreInOneRow() throws Exception {
    assertThat(plan(BY_KEY).hasOnePlacePerRow()).isTrue();
    assertThat(plan(ValueQuery.on("none").between(A, B)).hasOnePlacePerRow()).isTrue();
    assertThat(plan(BY_TIME).hasOnePlacePerRow()).isFalse();
    assertThat(plan(ValueQuery.on("key").between(A, B)).hasOnePlacePerRow()).isFalse();
    assertThat(plan(ValueQuery.on("lists").equalTo(A)).hasOnePlacePerRow()).isFalse();
    assertThat(plan(BY_KEY.or(BY_KEY)).hasOnePlacePerRow()).isFalse();
  }

  @Test
  void sidesThatScanTheBaseTable_areTheLast_andSixteenShareAScan() throws Exception {
    ValueQuery none = ValueQuery.on("none").equalTo(A);
    assertThat(plan(none.or(none)).hasOnePlacePerRow()).isTrue();
    assertThat(plan(none.or(none)).behind(0)).isEmpty();
    ValueQuery many = none.or(BY_KEY);
    for (int i = 0; i < 16; i++) {
      many = many.or(none);
    }
    QueryPlan plan = plan(many);
    assertThat(plan.hasOnePlacePerRow()).isFalse();
    assertThat(plan.conjunctions().get(0).index().name()).isEqualTo("key");
    assertThat(plan.together(0)).hasSize(1);
    assertThat(plan.together(9)).hasSize(16).isEqualTo(plan.together(1));
    assertThat(plan.together(17)).hasSize(1);
    assertThat(plan.scanOf(16)).isEqualTo(1);
    assertThat(plan.behind(0).orElseThrow().conjunction()).isEqualTo(1);
    assertThat(plan.behind(1).orElseThrow().conjunction()).isEqualTo(17);
    assertThat(plan.behind(17)).isEmpty();
  }

  @Test
  void columns_areThoseOfConditionsAndProjection() throws Exception {
    Column d = Column.parse("f:d");
    QueryPlan plan = plan(BY_KEY.and(BY_TIME).project(d));
    assertThat(plan.conditionColumns()).containsExactly(Column.parse("f:p"), Column.parse("f:q"));
    assertThat(plan.columns()).containsExactly(d, Column.parse("f:p"), Column.parse("f:q"));
    assertThat(plan.behind(0)).isEmpty();
    QueryPlan either = plan(BY_KEY.or(BY_TIME));
    assertThat(either.behind(0))
        .hasValueSatisfying(at -> assertThat(at.isAt(Position.startOf(1))).isTrue());
    assertThat(either.behind(1)).isEmpty();
  }

  @Test
  void steps_areWhatIsLeftToScan() throws Exception {
    List<Step> steps = plan(BY_KEY.or(ValueQuery.on("lists").equalTo(A).and(BY_TIME))).steps();
    assertThat(steps)
        .extracting(Step::access)
        .containsExactly(Access.INDEX_RANGE, Access.INDEX_ROW);
    assertThat(steps.get(1).toString()).contains("lists = a").contains("time = a");
    assertThat(plan(ValueQuery.on("none").equalTo(A)).steps())
        .extracting(Step::access)
        .containsExactly(Access.BASE_TABLE);
    assertThat(plan(ValueQuery.on("key").between(B, A)).steps())
        .extracting(Step::access)
        .containsExactly(Access.NOTHING);
    ValueQuery either = BY_KEY.or(BY_TIME);
    QueryPlan plan = plan(either);
    Continuation second = Continuations.write(plan.fingerprint(), Position.startOf(1));
    assertThat(plan(either.from(second)).steps()).hasSize(1);
    byte[] row = {'a', 0, 0, 'k'};
    Continuation within = Continuations.write(plan.fingerprint(), Position.behindRow(0, row));
    List<Step> left = plan(either.from(within)).steps();
    assertThat(left.get(0).lookup().startRow()).isEqualTo(TokenRange.successor(row));
    assertThat(left.get(1).lookup().startRow()).isEqualTo(plan.steps().get(1).lookup().startRow());
    assertThat(plan(ValueQuery.on("off").equalTo(A).allowScan()).steps().get(0).access())
        .isEqualTo(Access.BASE_TABLE);
  }

  @Test
  void whatAnIndexOfTheNewestCannotAnswer_isRefused() throws Exception {
    ValueQuery query = ValueQuery.on("newest").equalTo(A);
    assertThat(plan(query).conjunctions()).hasSize(1);
    assertThatThrownBy(() -> plan(query.asOf(5)))
        .hasMessageContainingAll("asOf(t)", "'newest'", "'in-place'", "deferred");
    assertThatThrownBy(() -> plan(query.versions(2))).hasMessageContaining("versions(m)");
    assertThat(plan(BY_KEY.and(query).asOf(5)).timeEnd()).isEqualTo(6);
  }

  @Test
  void aRow_isMetAtItsFirstToken_ofThoseInTheRange() throws Exception {
    Result row = Result.create(List.of(version(5, "cba")));
    ValueQuery query = ValueQuery.on("letters").between(A, B);
    for (boolean reversed : new boolean[] {false, true}) {
      Conjunction only = plan(query).conjunctions().get(0);
      assertThat(only.entry(row, reversed).orElseThrow().token()).isEqualTo(reversed ? B : A);
      QueryPlan plan = plan((reversed ? query.reversed() : query).versions(2));
      assertThat(byVersion(plan, "cba", A)).hasSize(reversed ? 0 : 1);
      assertThat(byVersion(plan, "cba", B)).hasSize(reversed ? 1 : 0);
    }
  }

  @Test
  void whatTheTokenizerDoesNotTake_isNoHit() throws Exception {
    ValueQuery decimal = ValueQuery.on("decimal").equalTo(Bytes.toBytes(new BigDecimal("1.5")));
    Cell other = new KeyValue(ROW, Bytes.toBytes("f"), Bytes.toBytes("d"), 5, new byte[] {1});
    assertThat(plan(decimal).conjunctions().get(0).holds(Result.create(List.of(other)))).isFalse();
  }

  @Test
  void goingOn_keepsWhereAndWhenTheQueryBegan() throws Exception {
    QueryPlan earlier = plan(BY_KEY);
    Position place = Position.behindRow(0, new byte[] {'a', 0, 0, 'k'});
    QueryPlan later = plan(BY_KEY).goingOn(earlier, place);
    assertThat(later.begun()).isEqualTo(NOW);
    assertThat(later.at()).isSameAs(place);
    assertThat(later.start().atStart()).isTrue();
  }

  /** Of the entries of a few index rows, those behind a place are those that were not passed. */
  @Test
  void aPlace_partsEntriesInThoseBeforeAndBehind() throws Exception {
    for (String name : List.of("key", "time", "lists")) {
      for (boolean reversed : new boolean[] {false, true}) {
        ValueQuery query = ValueQuery.on(name).between(A, B);
        Conjunction only = plan(reversed ? query.reversed() : query).conjunctions().get(0);
        NavigableMap<byte[], List<Entry>> rows = rows(only);
        List<byte[]> keys =
            new ArrayList<>(reversed ? rows.descendingMap().keySet() : rows.keySet());
        List<Entry> all = new ArrayList<>();
        for (byte[] row : keys) {
          List<Entry> inRow = new ArrayList<>(rows.get(row));
          inRow.sort(
              (a, b) ->
                  a.timestamp() != b.timestamp()
                      ? Long.compare(b.timestamp(), a.timestamp())
                      : Bytes.compareTo(a.key(), b.key()));
          if (reversed) {
            Collections.reverse(inRow);
          }
          all.addAll(inRow);
        }
        int passed = 0;
        for (byte[] row : keys) {
          for (Entry entry : all.subList(passed, passed + rows.get(row).size())) {
            passed++;
            assertParted(only, Position.behind(0, row, entry), all, passed, reversed);
          }
          assertParted(only, Position.behindRow(0, row), all, passed, reversed);
          assertRest(only, row, rows, reversed);
        }
        assertParted(only, Position.startOf(0), all, 0, reversed);
      }
    }
  }

  /** What the index cannot hold, no scan of it will meet. */
  @Test
  void aPlace_isBehindWhatTheIndexCannotHold_andAmongBaseRowsByTheirKeys() throws Exception {
    Entry tooLong = new Entry(new byte[HConstants.MAX_ROW_LENGTH], ROW, 1, WriteId.NONE);
    Position place = Position.behindRow(0, new byte[] {'r'});
    Conjunction keys = plan(ValueQuery.on("key").between(A, B)).conjunctions().get(0);
    Conjunction base = plan(ValueQuery.on("none").between(A, B)).conjunctions().get(0);
    for (boolean reversed : new boolean[] {false, true}) {
      assertThat(keys.isBehind(place, tooLong, reversed)).isTrue();
      assertThat(base.isBehind(place, new Entry(A, ROW, 1, WriteId.NONE), reversed)).isTrue();
      Entry less = new Entry(B, new byte[] {'q'}, 1, WriteId.NONE);
      assertThat(base.isBehind(place, less, reversed)).isEqualTo(!reversed);
    }
  }

  private static NavigableMap<byte[], List<Entry>> rows(Conjunction only) {
    NavigableMap<byte[], List<Entry>> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (byte[] token : List.of(A, new byte[] {'a', 'b'}, B)) {
      for (byte[] key : List.of(new byte[] {1}, new byte[] {2})) {
        for (long timestamp = 1; timestamp < 4; timestamp++) {
          Entry entry = new Entry(token, key, timestamp, WriteId.NONE);
          byte[] row =
              CellUtil.cloneRow(only.index().strategy().retract(only.index(), entry).get());
          rows.computeIfAbsent(row, r -> new ArrayList<>()).add(entry);
        }
      }
    }
    return rows;
  }

  private static void assertParted(
      Conjunction only, Position place, List<Entry> all, int passed, boolean reversed) {
    for (int i = 0; i < all.size(); i++) {
      assertThat(only.isBehind(place, all.get(i), reversed))
          .as("%s of %s, %s", place, all.get(i), reversed)
          .isEqualTo(i < passed);
    }
  }

  /** Behind some entries of a row, the row is read again. */
  private static void assertRest(
      Conjunction only, byte[] row, NavigableMap<byte[], List<Entry>> rows, boolean reversed) {
    Lookup behind = Position.behindRow(0, row).rest(only.lookup(), reversed);
    Lookup within = Position.behind(0, row, rows.get(row).get(0)).rest(only.lookup(), reversed);
    for (byte[] other : rows.keySet()) {
      int order = reversed ? Bytes.compareTo(row, other) : Bytes.compareTo(other, row);
      assertThat(holds(behind, other)).isEqualTo(order > 0);
      assertThat(holds(within, other)).isEqualTo(order >= 0);
    }
  }

  private static boolean holds(Lookup lookup, byte[] row) {
    return Bytes.compareTo(lookup.startRow(), row) <= 0
        && Bytes.compareTo(row, lookup.stopRow()) < 0;
  }

  private static Cell version(long timestamp, String value) {
    return new KeyValue(
        ROW, Bytes.toBytes("f"), Bytes.toBytes("q"), timestamp, Bytes.toBytes(value));
  }

  /** Of a value with several tokens in the RANGE, the one that is met first counts. */
  @Test
  void byVersion_eachVersionIsAHitOnce() throws Exception {
    Result row = Result.create(List.of(version(5, "ab"), version(4, "x"), version(3, "ab")));
    for (boolean reversed : new boolean[] {false, true}) {
      ValueQuery query = ValueQuery.on("prefixes").prefix(A).versions(3);
      QueryPlan plan = plan(reversed ? query.reversed() : query);
      Map<byte[], Result> found = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      found.put(ROW, row);
      BaseRows rows = new BaseRows(Plans.holding(found), plan);
      Verifier verifier = new Verifier(rows, Verifier.byVersion(rows));
      List<Entry> entries = new ArrayList<>();
      for (long timestamp : new long[] {6, 5, 5, 4, 3}) {
        entries.add(new Entry(A, ROW, timestamp, WriteId.NONE));
      }
      EntryGroup group = new EntryGroup(entries, Position.behindRow(0, new byte[] {'a', 0, 0}));
      EntryGroup empty = new EntryGroup(List.of(), Position.startOf(0));
      EntryPage page = new EntryPage(0, List.of(empty, group), Optional.empty(), Optional.empty());
      Verifier.Verdict verdict = verifier.verify(page).join();
      assertThat(verdict.hits()).extracting(hit -> hit.hit().timestamp()).containsExactly(5L, 3L);
      assertThat(verdict.hits())
          .extracting(hit -> hit.behind().timestamp())
          .containsExactly(5L, 3L);
      assertThat(verdict.suspects()).extracting(Entry::timestamp).containsExactly(6L, 4L);
    }
    QueryPlan range = plan(RANGE.versions(2));
    assertThat(byVersion(range, "a", A)).hasSize(1);
    assertThat(byVersion(range, "x", new byte[] {'x'})).isEmpty();
  }

  private static List<ValueHit> byVersion(QueryPlan plan, String value, byte[] token) {
    Map<byte[], Result> found = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    BaseRows rows = new BaseRows(Plans.holding(found), plan);
    found.put(ROW, Result.create(List.of(version(5, value))));
    Entry entry = new Entry(token, ROW, 5, WriteId.NONE);
    EntryGroup group = new EntryGroup(List.of(entry), Position.startOf(0));
    EntryPage page = new EntryPage(0, List.of(group), Optional.empty(), Optional.empty());
    assertThat(page.entries()).isEqualTo(1);
    return new Verifier(rows, Verifier.byVersion(rows))
        .verify(page).join().hits().stream().map(PositionedHit::hit).toList();
  }
}
