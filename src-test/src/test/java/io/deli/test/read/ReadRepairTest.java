package io.deli.test.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ReadMetrics;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.internal.read.QueryEngine;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.test.cluster.Counters;
import io.deli.test.cluster.Gate;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.model.PartialCompactions;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What read repair takes away, and what it must leave. */
class ReadRepairTest {
  private static final Column COLUMN = QueriedTable.column("c");
  private static final byte[] A = Bytes.toBytes("A");
  private static final byte[] B = Bytes.toBytes("B");
  private static final long NOW = 1_000_000_000L;
  private static final long GRACE = 600_000;
  private static final int STALE = 50;
  private static final ValueQuery FIND_A = ValueQuery.on("i").equalTo(A);

  private final AtomicLong clock = new AtomicLong(NOW);
  private QueriedTable table;
  private final Count held = new Count("repairsHeld");
  private final Count deleted = new Count("repairsDeleted");
  private final Count failed = new Count("repairsFailed");
  @AutoClose private QueryEngine lookups;

  /** What the region servers counted since the test began. */
  private record Count(String name, long before) {
    Count(String name) {
      this(name, Counters.value(name));
    }

    long since() {
      return Counters.value(name) - before;
    }
  }

  @BeforeEach
  void create() throws IOException {
    table =
        QueriedTable.create(
            "repair",
            family -> family.setMaxVersions(1).setKeepDeletedCells(KeepDeletedCells.TRUE),
            IndexDefinition.on("i", COLUMN));
    lookups =
        QueriedTable.lookups(MiniCluster.configuration(), () -> Instant.ofEpochMilli(clock.get()));
  }

  @Test
  void aWriterPausedBetweenItsPutsIsFoundWhenItResumes() throws Exception {
    table.writeEntries("r", COLUMN, A, NOW, WriteId.NONE);
    clock.addAndGet(GRACE);
    assertThat(find(FIND_A)).isEmpty();
    assertThat(lookups.metrics()).isEqualTo(new ReadMetrics(1, 0, 0, 0));

    table.writeBase("r", COLUMN, A, NOW);
    assertThat(find(FIND_A)).containsExactly("r = A @" + NOW);
  }

  @Test
  void aWriterPausedBeyondTheGracePeriodIsFoundBySecondWrite() throws Exception {
    table.writeEntries("r", COLUMN, A, NOW, WriteId.NONE);
    clock.addAndGet(GRACE + 1);
    assertThat(find(FIND_A)).isEmpty();
    await(() -> deleted.since() == 1);
    assertThat(table.read(table.index("i"))).isEmpty();

    // Too late to report success: the writer does it again under a new timestamp.
    table.writeBase("r", COLUMN, A, NOW);
    table.write("r", COLUMN, A, clock.get());
    assertThat(find(FIND_A)).containsExactly("r = A @" + clock.get());
  }

  @Test
  void anOldExplicitTimestampDoesNotAgeItsWriter() throws Exception {
    table.writeEntries("r", COLUMN, A, 5, WriteId.of(NOW, 1));
    assertThat(find(FIND_A)).isEmpty();
    assertThat(lookups.metrics()).isEqualTo(new ReadMetrics(1, 0, 0, 0));
    table.writeBase("r", COLUMN, A, 5);
    assertThat(find(FIND_A)).containsExactly("r = A @5");
  }

  @Test
  void aYoungEntryIsHeldWhateverAClientsClockSays() throws Exception {
    long now = System.currentTimeMillis();
    table.writeEntries("r", COLUMN, A, now, WriteId.NONE);
    clock.set(now + 2 * GRACE);
    assertThat(find(FIND_A)).isEmpty();
    await(() -> held.since() == 1);
    table.writeBase("r", COLUMN, A, now);
    assertThat(find(FIND_A)).containsExactly("r = A @" + now);
  }

  @Test
  void ofTwoValuesAtOneTimestampTheLoserIsRepairedWhenItIsGone() throws Exception {
    table.writeEntries("r", COLUMN, A, 5, WriteId.of(6, 1));
    table.writeBase("r", COLUMN, A, 5);
    table.writeEntries("r", COLUMN, B, 5, WriteId.of(7, 2));
    table.writeBase("r", COLUMN, B, 5);
    assertThat(find(ValueQuery.on("i").between(A, B))).containsExactly("r = B @5");
    await(() -> held.since() == 1);

    // HBase drops the loser here, and this table does not collect.
    table.flush();
    clock.addAndGet(GRACE);
    assertThat(find(ValueQuery.on("i").between(A, B))).containsExactly("r = B @5");
    await(() -> deleted.since() == 1);
    assertThat(table.read(table.index("i"))).hasSize(1);
    assertThat(find(ValueQuery.on("i").equalTo(B))).containsExactly("r = B @5");
  }

  @Test
  void aLoserInAFileOfItsOwnIsSeenAgainWhenItsWinnerIsCompactedAway() throws Exception {
    QueriedTable apart =
        QueriedTable.create(
            "loser",
            family ->
                family.setConfiguration(
                    "hbase.hstore.defaultengine.compactionpolicy.class",
                    PartialCompactions.class.getName()),
            IndexDefinition.on("i", COLUMN));
    apart.write("r", COLUMN, A, 5);
    apart.flush();
    apart.write("r", COLUMN, B, 5);
    apart.flush();
    apart.write("r", COLUMN, B, 7);
    apart.flush();
    assertThat(apart.read(lookups, FIND_A)).isEmpty();
    await(() -> held.since() + deleted.since() == 1);

    // Of the newer two files only the newest version is left.
    MiniCluster.regions(apart.name()).get(0).compact(false);
    assertThat(apart.read(lookups, FIND_A.asOf(6)))
        .extracting(ValueHit::toString)
        .containsExactly("r = A @5");
  }

  @Test
  void aSupersededVersionKeepsItsEntryAsLongAsTheBaseHasIt() throws Exception {
    table.write("r", COLUMN, A, 5);
    table.write("r", COLUMN, B, 7);
    assertThat(find(FIND_A)).isEmpty();
    await(() -> held.since() == 1);

    // Without its successor it is the newest again.
    delete(new Delete(Bytes.toBytes("r")).addColumn(COLUMN.family(), COLUMN.qualifier(), 7));
    assertThat(find(FIND_A)).containsExactly("r = A @5");
  }

  @Test
  void supersededVersionsOfAnIndexOfTheNewestAreReadOnce() throws Exception {
    QueriedTable newest =
        QueriedTable.create(
            "newest",
            family -> family.setMaxVersions(2).setConfiguration("deli.gc.mode", "streaming"),
            IndexDefinition.on("i", COLUMN).withOption(IndexDefinition.VERSIONS, "1"));
    for (int i = 0; i < STALE; i++) {
      newest.write("r" + i, COLUMN, A, 5);
      newest.write("r" + i, COLUMN, B, 7);
    }
    newest.write("passing", COLUMN, A, 5);
    try (Table base = newest.table()) {
      Put passing = new Put(Bytes.toBytes("passing")).setTTL(3_600_000);
      base.put(passing.addColumn(COLUMN.family(), COLUMN.qualifier(), B));
    }
    assertThat(newest.read(lookups, FIND_A)).isEmpty();
    // A server that dies may lose what is in memory.
    await(() -> held.since() == STALE + 1);
    newest.flush();
    clock.addAndGet(GRACE);
    AtomicInteger gets = new AtomicInteger();
    HookObserver.on(newest.name()).each(Moment.GET, (region, get) -> gets.incrementAndGet());
    assertThat(newest.read(lookups, FIND_A)).isEmpty();
    await(() -> deleted.since() == STALE && held.since() == STALE + 2);
    assertThat(gets).hasValue(STALE + 1);
    gets.set(0);
    assertThat(newest.read(lookups, FIND_A)).isEmpty();
    assertThat(gets).hasValue(1);

    // Without its successor it is the newest again.
    try (Table base = newest.table()) {
      base.delete(
          new Delete(Bytes.toBytes("r3")).addColumn(COLUMN.family(), COLUMN.qualifier(), 7));
    }
    assertThat(newest.read(lookups, FIND_A))
        .extracting(ValueHit::toString)
        .containsExactly("r3 = A @5");
  }

  @Test
  void aDeletedVersionIsStillThereForReadersOfThePast() throws Exception {
    table.write("r", COLUMN, A, 5);
    delete(new Delete(Bytes.toBytes("r")).addFamily(COLUMN.family(), 7));
    assertThat(find(FIND_A)).isEmpty();
    await(() -> held.since() == 1);

    // The family keeps deleted cells, so a reader of the past still sees it.
    assertThat(find(FIND_A.asOf(6))).containsExactly("r = A @5");
  }

  @Test
  void aVersionUnderATombstoneIsLeftToCompaction() throws Exception {
    QueriedTable plain =
        QueriedTable.create("masked", family -> family, IndexDefinition.on("i", COLUMN));
    plain.write("r", COLUMN, A, 5);
    try (Table base = plain.table()) {
      base.delete(new Delete(Bytes.toBytes("r")).addFamily(COLUMN.family(), 7));
    }
    assertThat(plain.read(lookups, FIND_A)).isEmpty();
    await(() -> held.since() == 1);
    assertThat(plain.read(plain.index("i"))).hasSize(1);
  }

  @Test
  void whatWasLookedIntoIsNotLookedIntoAtEveryRead() throws Exception {
    table.write("r", COLUMN, A, 5);
    table.write("r", COLUMN, B, 7);
    for (int i = 0; i < 3; i++) {
      assertThat(find(FIND_A)).isEmpty();
    }
    await(() -> lookups.metrics().suspects() == 3 && held.since() == 1);
    clock.addAndGet(GRACE);
    assertThat(find(FIND_A)).isEmpty();
    await(() -> held.since() == 2);
  }

  @Test
  void repairInFlightDoesNotHitTheSameValuePutAgain() throws Exception {
    table.writeEntries("r", COLUMN, A, 5, WriteId.of(6, 1));
    Gate gate = new Gate();
    HookObserver.on(table.index("i").table()).each(Moment.DELETE, gate);
    assertThat(find(FIND_A)).isEmpty();
    assertThat(gate.arrives()).isTrue();

    table.writeEntries("r", COLUMN, A, 5, WriteId.of(8, 2));
    table.writeBase("r", COLUMN, A, 5);
    gate.open();
    await(() -> deleted.since() == 1);
    assertThat(find(FIND_A)).containsExactly("r = A @5");
    MiniCluster.utility().compact(table.index("i").table(), true);
    assertThat(find(FIND_A)).containsExactly("r = A @5");
  }

  @Test
  void aRepairThatTheIndexRefusesFailsNoRead() throws Exception {
    table.writeEntries("gone", COLUMN, A, 5, WriteId.NONE);
    table.write("r", COLUMN, A, 6);
    HookObserver.on(table.index("i").table())
        .each(
            Moment.DELETE,
            (region, delete) -> {
              throw new AccessDeniedException("no write permission");
            });
    assertThat(find(FIND_A)).containsExactly("r = A @6");
    await(() -> failed.since() == 1);
    assertThat(table.read(table.index("i"))).hasSize(2);
    assertThat(find(FIND_A)).containsExactly("r = A @6");
  }

  @Test
  void moreThanTheQueueTakesIsDroppedAndFoundByALaterRead() throws Exception {
    for (int i = 0; i < 30; i++) {
      table.writeEntries("r" + i, COLUMN, A, 5, WriteId.NONE);
    }
    var configuration = MiniCluster.configuration();
    configuration.setInt("deli.repair.queue", 3);
    try (QueryEngine narrow = QueriedTable.lookups(configuration, InstantSource.system())) {
      assertThat(table.read(narrow, FIND_A)).isEmpty();
      await(() -> narrow.metrics().reported() + narrow.metrics().dropped() == 30);
      assertThat(narrow.metrics().dropped()).isPositive();
      await(
          () -> {
            assertThat(table.read(narrow, FIND_A)).isEmpty();
            return narrow.metrics().reported() == 30;
          });
      await(() -> table.read(table.index("i")).isEmpty());
      // Counted a moment later, which must not fall into another test.
      await(() -> deleted.since() >= 30);
    }
  }

  @Test
  void aQueueOfNoneSwitchesRepairOff() throws Exception {
    table.writeEntries("r", COLUMN, A, 5, WriteId.NONE);
    var configuration = MiniCluster.configuration();
    configuration.setInt("deli.repair.queue", 0);
    try (QueryEngine off = QueriedTable.lookups(configuration, InstantSource.system())) {
      assertThat(table.read(off, FIND_A)).isEmpty();
      assertThat(off.metrics()).isEqualTo(new ReadMetrics(1, 0, 0, 0));
    }
  }

  private List<String> find(ValueQuery query) throws IOException {
    return table.read(lookups, query).stream().map(ValueHit::toString).toList();
  }

  private void delete(Delete delete) throws IOException {
    try (Table base = table.table()) {
      base.delete(delete);
    }
  }

  private interface Check {
    boolean holds() throws Exception;
  }

  private static void await(Check check) throws Exception {
    MiniCluster.utility().waitFor(20_000, 10, check::holds);
  }
}
