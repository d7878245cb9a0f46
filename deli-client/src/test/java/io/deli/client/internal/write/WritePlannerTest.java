package io.deli.client.internal.write;

import static io.deli.client.internal.write.PlannedTable.F;
import static io.deli.client.internal.write.PlannedTable.OTHER;
import static io.deli.client.internal.write.PlannedTable.Q;
import static io.deli.client.internal.write.PlannedTable.ROW;
import static io.deli.client.internal.write.PlannedTable.VALUE;
import static io.deli.client.internal.write.PlannedTable.put;
import static io.deli.client.internal.write.PlannedTable.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.WriteRefusedException;
import io.deli.client.internal.KnownIndexes;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.Maintenance;
import io.deli.index.ValueType;
import io.deli.service.DrawnTimestamp;
import io.deli.strategy.IndexedVersion;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class WritePlannerTest {
  private static final long DRAWN = 1_000;
  private static final IndexDefinition DEFINITION = IndexDefinition.on("i", Column.parse("f:q"));

  private final AtomicLong ticks = new AtomicLong(70);
  private final AtomicLong clock = new AtomicLong(DRAWN);
  private final WriteContext identities =
      new WriteContext(
          row -> clock.getAndIncrement(), InstantSource.system(), ticks::getAndIncrement);

  private WritePlanner planner(KnownIndexes table) {
    return new WritePlanner(table, identities);
  }

  private WritePlanner planner(String strategy) {
    return planner(table(DEFINITION.withStrategy(strategy)));
  }

  private static List<Cell> cells(Mutation mutation) {
    return mutation.getFamilyCellMap().values().stream().flatMap(List::stream).toList();
  }

  private static List<Long> timestamps(Mutation mutation) {
    return cells(mutation).stream().map(Cell::getTimestamp).toList();
  }

  @Test
  void aPut_getsOneTimestamp_andItsEntriesTheSame() throws Exception {
    Put put = put().addColumn(F, OTHER, VALUE).setDurability(Durability.FSYNC_WAL);
    WritePlan plan = planner("deferred").plan(put);
    assertThat(timestamps(put)).containsOnly(HConstants.LATEST_TIMESTAMP);
    assertThat(plan.requested()).isSameAs(put);
    Put base = (Put) plan.base();
    assertThat(timestamps(base)).containsExactly(DRAWN, DRAWN);
    assertThat(base.getDurability()).isEqualTo(Durability.FSYNC_WAL);
    assertThat(base.getAttribute(WriteId.ATTRIBUTE)).isNull();
    assertThat(DrawnTimestamp.of(base)).hasValue(new DrawnTimestamp(DRAWN, false, false));
    assertThat(plan.timestamp()).hasValue(new ClientTimestamp(DRAWN, 0, 0));
    assertThat(plan.begun()).isEqualTo(70);
    assertThat(plan.hasEntries()).isTrue();
    assertThat(plan.superseded()).isEmpty();
    IndexedVersion version = plan.versions().get(0);
    assertThat(version.version().timestamp()).isEqualTo(DRAWN);
    assertThat(version.version().writeId()).isEqualTo(WriteId.NONE);
    assertThat(version.puts())
        .singleElement()
        .satisfies(entry -> assertThat(timestamps(entry)).containsExactly(DRAWN));
    assertThat(version.deletes()).hasSize(1);
    assertThat(version.isIn(cells(base))).isTrue();
    assertThat(version.isIn(List.of(new KeyValue(ROW, F, Q, DRAWN + 1, VALUE)))).isFalse();
    assertThat(version.isIn(List.of(new KeyValue(ROW, F, Q, DRAWN, OTHER)))).isFalse();
    assertThat(version.isIn(List.of(new KeyValue(ROW, F, Q, DRAWN, KeyValue.Type.Delete))))
        .isFalse();
    WriteId id = WriteId.of(1, 2);
    assertThat(version.withWriteId(id).version().writeId()).isEqualTo(id);
  }

  /** One from the application may come again, and so may what a condition decides. */
  @Test
  void aTimestampThatWasGiven_doesNotNameTheWrite() throws Exception {
    WritePlanner planner = planner("deferred");
    WritePlan given = planner.plan(new Put(ROW).addColumn(F, Q, 5, VALUE));
    assertThat(timestamps((Put) given.base())).containsExactly(5L);
    assertThat(given.timestamp()).isEmpty();
    assertThat(DrawnTimestamp.of((Put) given.base())).isEmpty();
    WriteId id = given.versions().get(0).version().writeId();
    assertThat(id.isNone()).isFalse();
    assertThat(((Put) given.base()).getAttribute(WriteId.ATTRIBUTE)).isEqualTo(id.toBytes());
    WritePlan beside = planner.plan(put().addColumn(F, OTHER, 5, VALUE));
    assertThat(beside.versions().get(0).version().writeId().isNone()).isTrue();
    WritePlan conditional =
        planner.plan(CheckAndMutate.newBuilder(ROW).ifNotExists(F, Q).build(put()));
    assertThat(conditional.versions().get(0).version().writeId().isNone()).isFalse();
    WritePlan unindexed = planner.plan(new Put(ROW).addColumn(F, OTHER, 5, VALUE));
    assertThat(((Put) unindexed.base()).getAttribute(WriteId.ATTRIBUTE)).isNull();
    assertThat(unindexed.hasEntries()).isFalse();
  }

  /** Of versions with one timestamp in one batch HBase's memory keeps the last. */
  @Test
  void putsOfOneColumnInRowMutations_haveTheEntryOfTheLast() throws Exception {
    byte[] last = Bytes.toBytes("last");
    WritePlan plan =
        planner("deferred")
            .plan(RowMutations.of(List.of(put(), new Put(ROW).addColumn(F, Q, last))));
    assertThat(plan.versions()).extracting(each -> each.version().value()).containsExactly(last);
    WritePlan apart =
        planner("deferred")
            .plan(RowMutations.of(List.of(put(), new Put(ROW).addColumn(F, Q, 5, last))));
    assertThat(apart.versions()).hasSize(2);
  }

  @Test
  void whereServersMaintain_eachPutTellsWhoGaveItsTimestamp() throws Exception {
    WritePlanner planner = planner(table(DEFINITION.withMaintenance(Maintenance.SERVER)));
    assertThat(planner.hasServerMaintained()).isTrue();
    assertThat(planner.isIndexed()).isFalse();
    WritePlanner both =
        planner(
            table(
                DEFINITION,
                IndexDefinition.on("s", Column.parse("f:s")).withMaintenance(Maintenance.SERVER)));
    Put drawn = (Put) both.plan(put()).base();
    assertThat(drawn.getAttribute(WriteId.ATTRIBUTE)).isEmpty();
    Put given = (Put) both.plan(new Put(ROW).addColumn(F, OTHER, 5, VALUE)).base();
    assertThat(given.getAttribute(WriteId.ATTRIBUTE)).hasSize(16);
    Put partly = (Put) both.plan(put().addColumn(F, OTHER, 5, VALUE)).base();
    assertThat(partly.getAttribute(WriteId.ATTRIBUTE)).hasSize(16);
    assertThat(planner("deferred").hasServerMaintained()).isFalse();
  }

  @Test
  void mutationsOfARow_haveOneTimestamp_andAreAtomic() throws Exception {
    RowMutations mutations = RowMutations.of(List.of(put(), new Delete(ROW).addColumns(F, OTHER)));
    for (WritePlan plan :
        List.of(
            planner("deferred").plan(mutations),
            planner("deferred")
                .plan(CheckAndMutate.newBuilder(ROW).ifEquals(F, Q, VALUE).build(mutations)))) {
      RowMutations base =
          plan.base() instanceof CheckAndMutate condition
              ? (RowMutations) condition.getAction()
              : (RowMutations) plan.base();
      long drawn = plan.timestamp().orElseThrow().timestamp();
      assertThat(base.getMutations())
          .hasSize(2)
          .allSatisfy(
              each -> {
                assertThat(timestamps(each)).containsExactly(drawn);
                assertThat(DrawnTimestamp.of(each))
                    .hasValue(new DrawnTimestamp(drawn, true, false));
              });
      assertThat(plan.versions()).hasSize(1);
    }
  }

  @Test
  void conditionsAreKept_whateverTheyDecide() throws Exception {
    WritePlanner planner = planner("deferred");
    for (CheckAndMutate condition :
        List.of(
            CheckAndMutate.newBuilder(ROW).ifEquals(F, Q, VALUE).build(put()),
            CheckAndMutate.newBuilder(ROW).ifEquals(F, Q, VALUE).build(new Delete(ROW)),
            CheckAndMutate.newBuilder(ROW)
                .ifEquals(F, Q, VALUE)
                .build(new Increment(ROW).addColumn(F, OTHER, 1)))) {
      CheckAndMutate planned = (CheckAndMutate) planner.plan(condition).base();
      assertThat(planned.getValue()).isEqualTo(VALUE);
      assertThat(planned.getAction()).isInstanceOf(condition.getAction().getClass());
    }
    WritePlan plan = planner.plan(put());
    assertThat(plan.wasVoid(new CheckAndMutateResult(false, null))).isTrue();
    assertThat(plan.wasVoid(new CheckAndMutateResult(true, null))).isFalse();
    assertThat(plan.wasVoid(new Object())).isFalse();
  }

  @Test
  void whatWouldLeaveAnIndexWrong_isRefused() throws Exception {
    WritePlanner planner = planner("deferred");
    for (Mutation computed :
        List.of(new Increment(ROW).addColumn(F, Q, 1), new Append(ROW).addColumn(F, Q, VALUE))) {
      assertThatThrownBy(() -> planner.plan(computed))
          .isInstanceOf(WriteRefusedException.class)
          .hasMessageContainingAll(
              "table t", "'r'", computed.getClass().getSimpleName(), "f:q", "'i'");
      assertThatThrownBy(() -> planner.check(computed)).isInstanceOf(WriteRefusedException.class);
      for (String without : List.of("embedded", "none")) {
        assertThat(planner(without).plan(computed).base()).isSameAs(computed);
      }
    }
    Increment other = new Increment(ROW).addColumn(F, OTHER, 1);
    assertThat(planner.plan(other).base()).isSameAs(other);
    WritePlanner numbers = planner(table(DEFINITION.withType(ValueType.LONG)));
    assertThatThrownBy(() -> numbers.plan(put()))
        .isInstanceOf(WriteRefusedException.class)
        .hasMessageContaining("LONG");
  }

  @Test
  void whatHBasesClientRefuses_isRefusedAlike() {
    int size = cells(put()).get(0).getSerializedSize();
    PutRules rules = new PutRules(size);
    RowMutations mutations = new RowMutations(ROW);
    Put large = new Put(ROW).addColumn(F, Q, new byte[2]);
    assertThatThrownBy(() -> rules.check(new Put(ROW))).hasMessage("No columns to insert");
    assertThatCode(() -> rules.check(put())).doesNotThrowAnyException();
    assertThatCode(() -> new PutRules(0).check(large)).doesNotThrowAnyException();
    assertThatCode(() -> mutations.add(List.of(put(), large))).doesNotThrowAnyException();
    for (Row operation :
        List.of(large, mutations, CheckAndMutate.newBuilder(ROW).ifNotExists(F, Q).build(large))) {
      assertThatThrownBy(() -> rules.check(operation)).hasMessage("KeyValue size too large");
    }
  }

  @Test
  void aTableWithoutIndexes_isWrittenAsItComes() throws Exception {
    KnownIndexes table = table(DEFINITION.withState(IndexState.DISABLED));
    WritePlanner planner = planner(table);
    Put put = put();
    WritePlan plan = planner.plan(put);
    assertThat(plan.base()).isSameAs(put);
    assertThat(plan.hasEntries()).isFalse();
    assertThat(planner.isIndexed()).isFalse();
    assertThat(planner.plan(List.of(put, put)).indexed()).isFalse();
    assertThatCode(() -> planner.check(new Put(ROW))).doesNotThrowAnyException();
    assertThat(planner.follows(table)).isTrue();
    assertThat(planner.follows(table(DEFINITION))).isFalse();
    assertThat(planner.known()).isSameAs(table);
    WriteBatch batch = planner("deferred").plan(List.of(put, put));
    assertThat(batch.indexed()).isTrue();
    assertThat(batch.plans())
        .extracting(each -> each.timestamp().orElseThrow().timestamp())
        .containsExactly(DRAWN, DRAWN + 1);
    Get get = new Get(ROW);
    assertThat(planner("deferred").plan(get).base()).isSameAs(get);
  }

  @Test
  void aRefusedDraw_isFollowedByALaterOne() throws Exception {
    identities.shift().set(5);
    WritePlanner planner = planner("deferred");
    ClientTimestamp first = planner.plan(put()).timestamp().orElseThrow();
    assertThat(first).isEqualTo(new ClientTimestamp(DRAWN + 5, 5, 0));
    ClientTimestamp second = first.then(DRAWN + 105);
    assertThat(second).isEqualTo(new ClientTimestamp(DRAWN + 105, 105, 1));
    WritePlan plan = planner.plan(put(), Optional.of(second));
    assertThat(plan.wasRefused()).isTrue();
    assertThat(planner.plan(put()).wasRefused()).isFalse();
    assertThat(DrawnTimestamp.of((Put) plan.base()))
        .hasValue(new DrawnTimestamp(DRAWN + 105, false, true));
  }

  private List<SupersededRange> superseded(WritePlanner planner, Mutation mutation)
      throws Exception {
    return planner.plan(mutation).superseded();
  }

  @Test
  void aPut_supersedesOlderVersions_whereOnlyTheNewestHasEntries() throws Exception {
    SupersededRange superseded = superseded(planner("in-place"), put()).get(0);
    assertThat(superseded.includes(DRAWN - 1)).isTrue();
    assertThat(superseded.includes(DRAWN)).isFalse();
    assertThat(superseded.includes(0)).isTrue();
    assertThat(superseded.versions()).isEqualTo(1);
    Cell newer = new KeyValue(ROW, F, Q, DRAWN, VALUE);
    Cell older = new KeyValue(ROW, F, Q, 5, VALUE);
    assertThat(superseded.isGone(5, List.of(newer, older))).isTrue();
    assertThat(superseded.isGone(5, List.of())).isTrue();
    assertThat(superseded.isGone(5, List.of(older))).isFalse();
    WritePlanner planner = planner("in-place");
    assertThat(planner.plan(put()).looksAgain()).isFalse();
    assertThat(superseded(planner, new Put(ROW).addColumn(F, Q, 5, VALUE))).isEmpty();
    assertThat(superseded(planner, put().setTTL(5))).isEmpty();
    assertThat(superseded(planner, put().setCellVisibility(new CellVisibility("x")))).isEmpty();
    assertThat(superseded(planner, put().setDurability(Durability.SKIP_WAL))).isEmpty();
    assertThat(superseded(planner, put().setDurability(Durability.ASYNC_WAL))).isEmpty();
    assertThat(superseded(planner, put().setDurability(Durability.SYNC_WAL))).hasSize(1);
    for (String strategy : List.of("deferred", "composite", "lazy")) {
      assertThat(superseded(planner(strategy), put())).isEmpty();
    }
  }

  /** Else what a marker hides may be seen again. */
  @Test
  void whereOrderMayChange_entriesAreLeftToReaders() throws Exception {
    IndexDefinition definition = DEFINITION.withStrategy("in-place");
    List<KnownIndexes> tables =
        List.of(
            table(
                f -> f.setKeepDeletedCells(KeepDeletedCells.TTL),
                Durability.USE_DEFAULT,
                definition),
            table(f -> f.setNewVersionBehavior(true), Durability.USE_DEFAULT, definition),
            table(f -> f, Durability.ASYNC_WAL, definition));
    for (KnownIndexes table : tables) {
      assertThat(superseded(planner(table), put())).isEmpty();
      assertThat(superseded(planner(table), new Delete(ROW))).isEmpty();
    }
  }

  private static List<Long> bounds(SupersededRange superseded) {
    return List.of(superseded.from(), superseded.to());
  }

  @Test
  void aDelete_hidesWhatItsMarkersSay() throws Exception {
    for (String strategy : List.of("in-place", "composite", "eager")) {
      WritePlanner planner = planner(strategy);
      WritePlan row = planner.plan(new Delete(ROW));
      assertThat(row.looksAgain()).isTrue();
      assertThat(((Delete) row.base()).getTimestamp()).isEqualTo(row.timestamp().get().timestamp());
      assertThat(bounds(row.superseded().get(0)))
          .containsExactly(0L, row.timestamp().get().timestamp());
      Delete markers =
          new Delete(ROW)
              .addFamily(F, 9)
              .addFamilyVersion(F, 8)
              .addColumns(F, Q, 7)
              .addColumn(F, Q, 6)
              .addColumns(F, OTHER, 5)
              .addColumn(F, OTHER, 4);
      assertThat(superseded(planner, markers).stream().map(WritePlannerTest::bounds))
          .containsExactlyInAnyOrder(
              List.of(0L, 9L), List.of(8L, 8L), List.of(0L, 7L), List.of(6L, 6L));
      assertThat(superseded(planner, markers)).allMatch(each -> each.versions() == 3);
      assertThat(superseded(planner, new Delete(ROW).setDurability(Durability.SKIP_WAL))).isEmpty();
    }
    assertThat(superseded(planner("deferred"), new Delete(ROW))).isEmpty();
  }

  @Test
  void aDeleteOfAColumn_isStamped_butThatOfTheLatestVersionIsNot() throws Exception {
    WritePlanner planner = planner("composite");
    Delete all = (Delete) planner.plan(new Delete(ROW).addColumns(F, Q)).base();
    assertThat(timestamps(all)).containsExactly(DRAWN);
    WritePlan plan = planner.plan(new Delete(ROW, 77).addColumn(F, Q));
    Delete latest = (Delete) plan.base();
    assertThat(timestamps(latest).get(0)).isIn(77L, HConstants.LATEST_TIMESTAMP);
    WritePlan ofLatest = planner.plan(new Delete(ROW).addColumn(F, Q));
    assertThat(timestamps((Delete) ofLatest.base())).containsExactly(HConstants.LATEST_TIMESTAMP);
    assertThat(DrawnTimestamp.of((Delete) ofLatest.base())).isEmpty();
    SupersededRange superseded = ofLatest.superseded().get(0);
    assertThat(bounds(superseded)).containsExactly(0L, Long.MAX_VALUE);
    Cell newer = new KeyValue(ROW, F, Q, 9, VALUE);
    assertThat(superseded.isGone(5, List.of(newer))).isTrue();
    assertThat(superseded.isGone(9, List.of(newer))).isFalse();
    List<Cell> full =
        List.of(newer, new KeyValue(ROW, F, Q, 8, VALUE), new KeyValue(ROW, F, Q, 7, VALUE));
    assertThat(superseded.isGone(5, full)).isFalse();
    SupersededRange exact = superseded(planner, new Delete(ROW).addColumn(F, Q, 5)).get(0);
    assertThat(exact.isGone(5, full)).isTrue();
    assertThat(exact.isGone(8, full)).isFalse();
    Delete stamped = new Delete(ROW, 55);
    assertThat(((Delete) planner.plan(stamped).base()).getTimestamp()).isEqualTo(55);
    assertThat(CellUtil.cloneRow(full.get(0))).isEqualTo(ROW);
  }
}
