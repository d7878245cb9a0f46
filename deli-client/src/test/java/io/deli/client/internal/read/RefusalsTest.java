package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.Continuation;
import io.deli.client.IndexUnavailableException;
import io.deli.client.ValueQuery;
import io.deli.client.internal.Futures;
import io.deli.client.internal.KnownIndexes;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.ValueType;
import io.deli.query.Point;
import io.deli.token.Tokenizers;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Queries that cannot be answered right. There is no connection: a read would not be possible. */
class RefusalsTest {
  private static final long NOW = 10_000_000;
  private static final byte[] VALUE = Bytes.toBytes("v");

  private final KnownIndexes table =
      table(
          index("text", "f:t"),
          index("other", "f:o"),
          index("start", "f:t").withTokenizer(Tokenizers.PREFIX),
          index("number", "f:n").withType(ValueType.LONG),
          index("short", "ttl:s"),
          index("off", "f:t").withState(IndexState.DISABLED),
          index("young", "f:t").withState(IndexState.BUILDING));

  private final KnownIndexes partial =
      table(
          index("open", "f:t").withCondition(Column.parse("f:s"), VALUE),
          index("text", "f:t"),
          index("state", "f:s"),
          index("begin", "f:s").withTokenizer(Tokenizers.PREFIX));

  private static IndexDefinition index(String name, String column) {
    return Plans.index(name, column);
  }

  private static KnownIndexes table(IndexDefinition... definitions) {
    return Plans.table(
        Plans.describe()
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("ttl"))
                    .setTimeToLive(100)
                    .build()),
        definitions);
  }

  @Test
  void unknownIndex() {
    assertThatThrownBy(run(ValueQuery.on("nope").equalTo(VALUE)))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessageContainingAll("table t", "'nope'", "text", "number");
  }

  @Test
  void tableWithoutIndexes() {
    assertThatThrownBy(() -> plan(table(), ValueQuery.on("text").equalTo(VALUE)))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessageContaining("Create one first");
  }

  @Test
  void disabledOrBuildingIndex() {
    assertThatThrownBy(run(ValueQuery.on("off").equalTo(VALUE)))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessageContaining("DISABLED");
    assertThatThrownBy(run(ValueQuery.on("young").equalTo(VALUE)))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessageContaining("BUILDING");
  }

  @Test
  void familyThatWasAlteredToMob() {
    TableDescriptorBuilder altered = TableDescriptorBuilder.newBuilder(table.descriptor());
    altered.modifyColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f")).setMobEnabled(true).build());
    assertThatThrownBy(
            () -> plan(KnownIndexes.of(altered.build(), 0), ValueQuery.on("text").equalTo(VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'text'", "'f'", "MOB", "deli build");
  }

  @Test
  void indexOfTheTableThatASnapshotWasTakenOf() {
    TableDescriptor clone =
        TableDescriptorBuilder.copy(TableName.valueOf("clone"), table.descriptor());
    assertThatThrownBy(() -> plan(KnownIndexes.of(clone, 0), ValueQuery.on("text").equalTo(VALUE)))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessageContainingAll("'text'", "table clone", "DETACHED", "deli build");
  }

  @Test
  void theSecondIndexOfACombinationAsWell() {
    ValueQuery good = ValueQuery.on("text").equalTo(VALUE);
    assertThatThrownBy(run(good.and(ValueQuery.on("nope").equalTo(VALUE))))
        .hasMessageContaining("'nope'");
    assertThatThrownBy(run(good.or(ValueQuery.on("number").equalTo(VALUE))))
        .hasMessageContaining("index 'number'");
  }

  @Test
  void conditionsThatTheIndexCannotAnswer() {
    assertThatThrownBy(run(ValueQuery.on("number").prefix(VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("index 'number'", "prefix", "LONG");
    assertThatThrownBy(run(ValueQuery.on("start").between(VALUE, VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("index 'start'", "between", "exact");
    assertThatThrownBy(run(ValueQuery.on("number").equalTo(VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("index 'number'", "'v'", "LONG");
  }

  @Test
  void moreVersionsThanKept() throws Exception {
    ValueQuery query = ValueQuery.on("text").equalTo(VALUE);
    assertThat(plan(table, query.versions(3)).options().versions()).isEqualTo(3);
    assertThatThrownBy(run(query.versions(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "versions(4): the family 'f' keeps 3 versions. Raise VERSIONS, or ask for at most 3.");
  }

  @Test
  void oldVersions_ofAnIndexOfTheNewest() throws Exception {
    KnownIndexes newest =
        table(index("text", "f:t").withOption(IndexDefinition.VERSIONS, "1"), index("all", "f:t"));
    ValueQuery query = ValueQuery.on("text").equalTo(VALUE);
    assertThat(plan(newest, query.mostRecent(2)).options().versions()).isEqualTo(1);
    assertThatThrownBy(() -> plan(newest, query.versions(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "versions(m): index 'text' with option versions=1 does not keep versions that were superseded. Use an index without it.");
    assertThatThrownBy(() -> plan(newest, query.asOf(NOW)))
        .hasMessageStartingWith("asOf(t): index 'text' with option versions=1 does not keep what");
    assertThat(plan(newest, ValueQuery.on("all").equalTo(VALUE).versions(2)).options().versions())
        .isEqualTo(2);
  }

  @Test
  void rowsThatAPartialIndexDoesNotHave() throws Exception {
    ValueQuery open = ValueQuery.on("open").equalTo(VALUE);
    ValueQuery stated = ValueQuery.on("f:s").equalTo(VALUE);
    ValueQuery text = ValueQuery.on("text").equalTo(VALUE);
    for (ValueQuery implied :
        List.of(
            open.and(stated),
            stated.and(open),
            open.and(stated).and(text),
            open.and(ValueQuery.on("state").equalTo(VALUE)))) {
      assertThat(plan(partial, implied).conjunctions()).hasSize(1);
    }
    for (ValueQuery wide :
        List.of(
            open,
            open.or(stated),
            open.and(stated).or(open),
            text.and(open),
            open.and(ValueQuery.on("f:s").equalTo(new byte[0])),
            open.and(ValueQuery.on("f:s").prefix(VALUE)),
            open.and(ValueQuery.on("state").prefix(VALUE)),
            open.and(ValueQuery.on("begin").equalTo(VALUE)))) {
      assertThatThrownBy(() -> plan(partial, wide))
          .as(wide.toString())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("index 'open' has only rows with f:s=v, and the query asks for");
    }
    for (ValueQuery column : List.of(stated, text.and(stated), text.or(open).and(stated))) {
      assertThatThrownBy(() -> plan(partial, column))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("f:s = v: a column may only be asked for the value by which");
    }
    assertThatThrownBy(() -> plan(partial, open.and(stated).asOf(NOW)))
        .hasMessageContaining("index 'open' of rows with f:s=v does not keep");
  }

  /** Rows with 1.50 as well. */
  @Test
  void rowsWhoseNumberIsEqual_ofAPartialIndexByItsBytes() {
    Map.of(
            ValueType.DECIMAL, Bytes.toBytes(new BigDecimal("1.5")),
            ValueType.FLOAT, Bytes.toBytes(Float.NaN),
            ValueType.DOUBLE, Bytes.toBytes(Double.NaN),
            ValueType.POINT, new Point(0, 0).toBytes())
        .forEach(
            (type, number) -> {
              KnownIndexes priced =
                  table(
                      index("cheap", "f:t").withCondition(Column.parse("f:n"), number),
                      index("price", "f:n").withType(type));
              ValueQuery cheap = ValueQuery.on("cheap").equalTo(VALUE);
              assertThatThrownBy(
                      () -> plan(priced, cheap.and(ValueQuery.on("price").equalTo(number))))
                  .as("%s", type)
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("the query asks for others, too");
            });
  }

  @Test
  void timesBeyondTheTimeToLive() throws Exception {
    ValueQuery query = ValueQuery.on("short").equalTo(VALUE);
    assertThat(plan(table, query.asOf(NOW - 100_000)).timeEnd()).isEqualTo(NOW - 99_999);
    assertThatThrownBy(run(query.asOf(NOW - 100_001)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("asOf(9899999)", "family 'ttl'", "100 s", "9900000");
  }

  @Test
  void optionsThatDoNotGoTogether() throws Exception {
    ValueQuery a = ValueQuery.on("text").equalTo(VALUE);
    ValueQuery b = ValueQuery.on("other").equalTo(VALUE);
    assertThatThrownBy(run(a.and(b).versions(2))).hasMessageContaining("versions(2) with and/or");
    assertThatThrownBy(run(a.or(b).versions(2))).hasMessageContaining("versions(2) with and/or");
    assertThatThrownBy(run(a.mostRecent(2).reversed())).hasMessageContaining("reversed()");
    assertThatThrownBy(run(a.mostRecent(2).rows(VALUE, new byte[0])))
        .hasMessageContaining("Leave rows(..) out");
    assertThatThrownBy(run(a.mostRecent(2).from(continuation(a))))
        .hasMessageContaining("mostRecent(k) cannot resume");
    assertThatThrownBy(run(a.project(Column.parse("x:y"))))
        .hasMessageContaining("no column family 'x'");
  }

  @Test
  void continuationsOfAnotherQuery() throws Exception {
    ValueQuery query = ValueQuery.on("text").equalTo(VALUE);
    Continuation saved = continuation(query);
    assertThat(plan(table, query.from(saved).limit(7)).start().row()).isNotEmpty();
    for (ValueQuery other :
        new ValueQuery[] {
          query.reversed(),
          query.asOf(5),
          query.versions(2),
          ValueQuery.on("other").equalTo(VALUE),
          ValueQuery.on("text").prefix(VALUE),
          ValueQuery.on("text").equalTo(Bytes.toBytes("w")),
          query.and(query),
          query.or(query)
        }) {
      assertThatThrownBy(run(other.from(saved)))
          .as(other.toString())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("belongs to another query");
    }
    KnownIndexes redefined = table(index("text", "f:t").withOption("o", "changed"));
    assertThatThrownBy(() -> plan(redefined, query.from(saved)))
        .hasMessageContaining("belongs to another query");
  }

  @Test
  void bytesThatAreNoContinuation() throws Exception {
    ValueQuery query = ValueQuery.on("text").equalTo(VALUE);
    byte[] bytes = continuation(query).toBytes();
    byte[] newer = bytes.clone();
    newer[0]++;
    byte[] elsewhere = bytes.clone();
    elsewhere[bytes.length - 6] = 'z';
    byte[] beyond = bytes.clone();
    beyond[1 + Fingerprint.LENGTH] = 1;
    for (byte[] garbage :
        new byte[][] {{}, {2}, newer, Arrays.copyOf(bytes, 20), elsewhere, beyond}) {
      assertThatThrownBy(run(query.from(Continuation.of(garbage))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is no continuation");
    }
    assertThatThrownBy(() -> Continuation.parse("?")).hasMessageContaining("no continuation");
  }

  @Test
  void optionsOutOfRange() {
    ValueQuery query = ValueQuery.on("text").equalTo(VALUE);
    assertThatThrownBy(() -> query.limit(0)).hasMessageContaining("limit(0)");
    assertThatThrownBy(() -> query.limit(-3)).hasMessageContaining("limit(-3)");
    assertThatThrownBy(() -> query.versions(0)).hasMessageContaining("versions(0)");
    assertThatThrownBy(() -> query.mostRecent(0)).hasMessageContaining("mostRecent(0)");
    assertThatThrownBy(() -> query.asOf(-1)).hasMessageContaining("asOf(-1)");
  }

  /** A place behind the entry of value v, key k. */
  private Continuation continuation(ValueQuery query) throws Exception {
    QueryPlan plan = plan(table, query);
    byte[] row = {'v', 0, 0, 'k', 'e', 'y'};
    return Continuations.write(plan.fingerprint(), Position.behindRow(0, row));
  }

  private static QueryPlan plan(KnownIndexes table, ValueQuery query) throws Exception {
    return QueryPlanner.plan(table, query, NOW);
  }

  private ThrowingCallable run(ValueQuery query) {
    return () -> {
      try (QueryEngine lookups =
          Plans.engine(null, new Configuration(false), () -> Instant.ofEpochMilli(NOW))) {
        assertThat(lookups.page(Plans.fixed(table), query)).isCompletedExceptionally();
        Futures.await(lookups.begin(Plans.fixed(table), query)).close();
      }
    };
  }
}
