package io.deli.client.internal.read;

import static io.deli.client.internal.read.Plans.A;
import static io.deli.client.internal.read.Plans.B;
import static io.deli.client.internal.read.Plans.BY_KEY;
import static io.deli.client.internal.read.Plans.BY_TIME;
import static io.deli.client.internal.read.Plans.RANGE;
import static io.deli.client.internal.read.Plans.index;
import static io.deli.client.internal.read.Plans.plan;
import static io.deli.client.internal.read.Plans.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.Continuation;
import io.deli.client.ValueQuery;
import io.deli.client.internal.KnownIndexes;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Lookup;
import io.deli.token.Tokenizers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ContinuationsTest {
  private static final Fingerprint QUERY =
      new Fingerprint(TableName.valueOf("t"), List.of(), BY_KEY.options());

  /** Its other bytes may mean anything. */
  @Test
  void anotherFormatIsRefusedBeforeAnythingElseIsRead() {
    byte[] written = Continuations.write(QUERY, Position.startOf(0)).toBytes();
    for (byte format : new byte[] {2, 4}) {
      written[0] = format;
      Continuation other = Continuation.of(written);
      assertThatThrownBy(() -> Continuations.read(other, QUERY, List.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(other.toString(), "format 3", "Start the query again");
    }
  }

  @Test
  void places_areReadAsTheyWereWritten() throws Exception {
    Random random = new Random(1);
    QueryPlan plan = plan(BY_KEY.or(RANGE));
    for (int i = 0; i < 1_000; i++) {
      byte[] row = Bytes.add(new byte[] {'a', 0, 0}, Bytes.toBytes(random.nextInt()));
      byte[] key = new byte[random.nextInt(4)];
      random.nextBytes(key);
      Position place = new Position(random.nextInt(2), row, random.nextInt(3) - 1, key);
      Continuation written = Continuations.write(plan.fingerprint(), place);
      Continuation parsed = Continuation.parse(written.toString());
      assertThat(parsed).isEqualTo(written).isEqualTo(Continuation.of(written.toBytes()));
      Position read = Continuations.read(parsed, plan.fingerprint(), plan.conjunctions());
      assertThat(read.isAt(place)).isTrue();
      assertThat(read.isAt(Position.behindRow(place.conjunction(), new byte[] {'a', 0}))).isFalse();
      Position elsewhere = new Position(1 - place.conjunction(), row, place.timestamp(), key);
      assertThat(read.isAt(elsewhere)).isFalse();
      assertThat(read.isAt(new Position(place.conjunction(), row, 9, key))).isFalse();
      assertThat(read.isAt(new Position(place.conjunction(), row, place.timestamp(), new byte[9])))
          .isFalse();
    }
    assertThat(Continuation.of(A)).isNotEqualTo(Continuation.of(B));
  }

  @Test
  void places_areBehindOneAnother_asAScanComesToThem() {
    Position start = Position.startOf(0);
    Position first = Position.behindRow(0, A);
    Position second = Position.behindRow(0, B);
    for (boolean reversed : new boolean[] {false, true}) {
      for (Position place : List.of(start, first, second)) {
        assertThat(place.isBehind(place, reversed)).isFalse();
        assertThat(place.isBehind(start, reversed)).isEqualTo(!place.atStart());
        assertThat(Position.startOf(1).isBehind(place, reversed)).isTrue();
        assertThat(place.isBehind(Position.startOf(1), reversed)).isFalse();
      }
      assertThat(second.isBehind(first, reversed)).isEqualTo(!reversed);
      assertThat(first.isBehind(second, reversed)).isEqualTo(reversed);
      Position within = new Position(0, A, 5, B);
      assertThat(first.isBehind(within, reversed)).isTrue();
      assertThat(within.isBehind(first, reversed)).isFalse();
      assertThat(within.isBehind(new Position(0, A, 6, B), reversed)).isEqualTo(!reversed);
    }
  }

  @Test
  void oneByte_tellsAnotherFormat() {
    assertThatThrownBy(() -> Continuations.read(Continuation.of(new byte[] {2}), QUERY, List.of()))
        .hasMessageContaining("format 3");
  }

  @Test
  void placesOfScansThatSidesShare_areTheFirstSides() throws Exception {
    ValueQuery none = ValueQuery.on("none").equalTo(A);
    QueryPlan plan = plan(none.or(none));
    for (int conjunction = 0; conjunction < 2; conjunction++) {
      byte[] written =
          Continuations.write(plan.fingerprint(), Position.behindRow(conjunction, A)).toBytes();
      if (conjunction == 0) {
        assertThat(read(plan, written).isAt(Position.behindRow(0, A))).isTrue();
      } else {
        assertNone(plan, written);
      }
    }
  }

  /** Whatever is changed of it. */
  @Test
  void bytesOfAnotherPlace_areNoContinuation() throws Exception {
    QueryPlan plan = plan(BY_KEY);
    byte[] row = {'a', 0, 0, 'k'};
    byte[] good =
        Continuations.write(plan.fingerprint(), new Position(0, row, 5, new byte[] {'k'}))
            .toBytes();
    int at = 1 + Fingerprint.LENGTH;
    assertNone(plan, ByteBuffer.wrap(good.clone()).putInt(at, 1).array());
    assertNone(plan, ByteBuffer.wrap(good.clone()).putInt(at, -1).array());
    assertNone(plan, ByteBuffer.wrap(good.clone()).putLong(at + 4, -2).array());
    assertNone(plan, ByteBuffer.wrap(good.clone()).putLong(at + 4, Long.MAX_VALUE).array());
    assertNone(plan, ByteBuffer.wrap(good.clone()).putInt(at + 12, -1).array());
    assertNone(plan, ByteBuffer.wrap(good.clone()).putInt(at + 12, 6).array());
    assertNone(plan, Arrays.copyOf(good, at + 15));
    assertNone(plan, ByteBuffer.wrap(good.clone()).put(at + 17, (byte) 'b').array());
    assertNone(plan, ByteBuffer.wrap(good.clone()).put(at + 17, (byte) 'A').array());
    Position read = read(plan, ByteBuffer.wrap(good.clone()).putInt(at + 12, 5).array());
    assertThat(read.atStart()).isTrue();
    assertThat(read(plan, Arrays.copyOf(good, at + 17)).atStart()).isTrue();
    assertThat(
            read(plan, ByteBuffer.wrap(good.clone()).putLong(at + 4, -1).array()).behindWholeRow())
        .isTrue();
    Continuation atStart = Continuations.write(plan.fingerprint(), Position.startOf(0));
    assertThat(read(plan, atStart.toBytes()).atStart()).isTrue();
    Lookup lookup = plan.conjunctions().get(0).lookup();
    assertThat(Position.startOf(0).rest(lookup, false)).isSameAs(lookup);
    Position atStop = Position.behindRow(0, lookup.stopRow());
    assertNone(plan, Continuations.write(plan.fingerprint(), atStop).toBytes());
    byte[] first = {'a', 0, 0};
    Position atFirst = Position.behindRow(0, first);
    assertThat(read(plan, Continuations.write(plan.fingerprint(), atFirst).toBytes()).row())
        .isEqualTo(first);
    QueryPlan ofBase = plan(ValueQuery.on("none").equalTo(A));
    Position last = Position.behindRow(0, new byte[] {(byte) 0xFF});
    assertThat(read(ofBase, Continuations.write(ofBase.fingerprint(), last).toBytes()).row())
        .isEqualTo(last.row());
  }

  private static Position read(QueryPlan plan, byte[] bytes) {
    return Continuations.read(Continuation.of(bytes), plan.fingerprint(), plan.conjunctions());
  }

  private static void assertNone(QueryPlan plan, byte[] bytes) {
    assertThatThrownBy(() -> read(plan, bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no continuation of a query");
  }

  @Test
  void fingerprints_differByWhatDecidesHitsAndTheirOrder() throws Exception {
    List<ValueQuery> queries =
        List.of(
            BY_KEY,
            BY_TIME,
            RANGE,
            ValueQuery.on("key").equalTo(B),
            ValueQuery.on("key").prefix(A),
            ValueQuery.on("key").prefix(B),
            ValueQuery.on("key").atLeast(A),
            ValueQuery.on("key").greaterThan(A),
            ValueQuery.on("key").atMost(A),
            ValueQuery.on("key").lessThan(A),
            ValueQuery.on("key").between(A, A),
            BY_KEY.and(BY_TIME),
            BY_KEY.or(BY_TIME),
            BY_TIME.or(BY_KEY),
            BY_KEY.reversed(),
            BY_KEY.asOf(5),
            BY_KEY.versions(2),
            BY_KEY.mostRecent(2),
            BY_KEY.rows(A, B),
            BY_KEY.rows(A, new byte[0]),
            BY_KEY.rows(new byte[0], A),
            BY_KEY.rows(new byte[0], B));
    List<String> prints = new ArrayList<>();
    for (ValueQuery query : queries) {
      prints.add(Bytes.toHex(plan(query).fingerprint().bytes()));
      assertThat(prints.get(prints.size() - 1)).hasSize(2 * Fingerprint.LENGTH);
    }
    assertThat(prints).doesNotHaveDuplicates();
  }

  @Test
  void fingerprints_areOfTheDefinitions() throws Exception {
    assertThat(plan(BY_KEY.limit(3).project(Column.parse("f:x"))).fingerprint().bytes())
        .isEqualTo(plan(BY_KEY).fingerprint().bytes());
    ValueQuery all =
        ValueQuery.on("key")
            .between(A, true, B, false)
            .and(ValueQuery.on("key").prefix(A))
            .or(ValueQuery.on("key").lessThan(B))
            .or(BY_TIME);
    // Part of the format of continuations.
    assertThat(Bytes.toHex(plan(all).fingerprint().bytes()))
        .isEqualTo("87e55c05174c7827c7b06f2bcb352fbe");
    IndexDefinition key = index("key", "f:p");
    for (IndexDefinition other :
        List.of(
            index("key", "f:q"),
            key.withOrder(EntryOrder.BY_TIME),
            key.withStrategy("composite"),
            key.withTokenizer(Tokenizers.PREFIX),
            key.withOption("o", "1"))) {
      assertThat(plan(table(other), BY_KEY).fingerprint().bytes())
          .isNotEqualTo(plan(BY_KEY).fingerprint().bytes());
    }
    KnownIndexes joined =
        table(IndexDefinition.on("both", Column.parse("f:p"), Column.parse("f:q")));
    ValueQuery leading = ValueQuery.on("both").leading(A).greaterThan(B);
    assertThat(Bytes.toHex(plan(joined, leading).fingerprint().bytes()))
        .isEqualTo("961ecd2629db76ea289cafaacc45bb2b");
    KnownIndexes builtAgain = table(key.withOption(IndexDefinition.BUILD, "7"));
    assertThat(plan(builtAgain, BY_KEY).fingerprint().bytes())
        .isEqualTo(plan(BY_KEY).fingerprint().bytes());
  }
}
