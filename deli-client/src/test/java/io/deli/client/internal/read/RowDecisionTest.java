package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import io.deli.client.internal.KnownIndexes;
import io.deli.client.internal.read.EntryPage.EntryGroup;
import io.deli.client.internal.read.HitPage.PositionedHit;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.query.Condition;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.Lookup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Queries of an index in memory, row by row, while others write the rows. */
class RowDecisionTest {
  private static final int QUERIES = 2_000;
  private static final int ROWS = 5;
  private static final byte[] FAMILY = {'f'};
  private static final long BEGUN = 1_000;
  private static final byte[][] VALUES = {
    Bytes.toBytes("a"), Bytes.toBytes("b"), Bytes.toBytes("c"), Bytes.toBytes("d")
  };

  private Random random;
  private KnownIndexes table;
  private ValueQuery query;
  private final Map<byte[], Result> found = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private QueryPlan plan;
  private SeenRows memory;
  private RowDecision decision;
  private Verifier verifier;
  private boolean hasRoom;
  private long clock;

  /** Columns p and q of each row, the newest version of each. */
  private final Map<String, TreeMap<String, Cell>> base = new HashMap<>();

  /** Rows of the index tables, and what each of them was written with. */
  private final Map<TableName, TreeMap<byte[], List<Entry>>> entries = new HashMap<>();

  private final Set<String> always = new HashSet<>();
  private final List<PositionedHit> given = new ArrayList<>();

  private KnownIndexes table() {
    EntryOrder order = random.nextBoolean() ? EntryOrder.BY_KEY : EntryOrder.BY_TIME;
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
    String strategy = random.nextInt(3) == 0 ? "lazy" : "deferred";
    for (String column : List.of("p", "q")) {
      IndexDefinitions.put(
          builder,
          IndexDefinition.on(column, Column.parse("f:" + column))
              .withOrder(order)
              .withStrategy(strategy));
    }
    return KnownIndexes.of(builder.build(), 0);
  }

  private ValueQuery query() {
    ValueQuery query = condition();
    if (random.nextBoolean()) {
      query = random.nextBoolean() ? query.or(condition()) : query.and(condition());
    }
    return random.nextBoolean() ? query.reversed() : query;
  }

  private ValueQuery condition() {
    ValueQuery.Target index = ValueQuery.on(random.nextBoolean() ? "p" : "q");
    return random.nextInt(3) == 0
        ? index.equalTo(VALUES[random.nextInt(4)])
        : index.between(VALUES[random.nextInt(2)], VALUES[2 + random.nextInt(2)]);
  }

  private void write() {
    String row = "r" + random.nextInt(ROWS);
    Index index = table.indexes().get(random.nextInt(2));
    Column column = index.column();
    byte[] value = VALUES[random.nextInt(4)];
    clock += 1 + random.nextInt(3);
    Cell cell = new KeyValue(Bytes.toBytes(row), FAMILY, column.qualifier(), clock, value);
    Entry entry = index.entries(BaseVersion.of(cell, WriteId.NONE)).get(0);
    Put put = index.write(BaseVersion.of(cell, WriteId.NONE), new Put(Bytes.toBytes(row))).get(0);
    entries
        .computeIfAbsent(index.table(), t -> new TreeMap<>(Bytes.BYTES_COMPARATOR))
        .computeIfAbsent(put.getRow(), key -> new ArrayList<>())
        .add(0, entry);
    base.computeIfAbsent(row, key -> new TreeMap<>()).put(column.toString(), cell);
    always.removeIf(key -> !satisfies(key));
  }

  private Result row(String key) {
    return Result.create(new ArrayList<>(base.getOrDefault(key, new TreeMap<>()).values()));
  }

  private boolean satisfies(String key) {
    return query.condition().disjuncts().stream()
        .anyMatch(all -> all.stream().allMatch(on -> satisfies(key, on)));
  }

  private boolean satisfies(String key, Condition.OnIndex on) {
    Cell cell = base.getOrDefault(key, new TreeMap<>()).get("f:" + on.index());
    return cell != null && on.predicate().test(valueOf(cell));
  }

  private void begin(int seed, boolean room) throws Exception {
    hasRoom = room;
    random = new Random(seed);
    table = table();
    base.clear();
    entries.clear();
    always.clear();
    given.clear();
    clock = BEGUN - 100;
    query = query();
    plan = QueryPlanner.plan(table, query, BEGUN);
    for (int i = 0; i < 15; i++) {
      write();
    }
    clock = BEGUN - 1;
    run(room);
    base.keySet().stream().filter(this::satisfies).forEach(always::add);
  }

  private void run(boolean room) {
    given.clear();
    memory = new SeenRows(room ? 1 << 20 : 0);
    BaseRows rows = new BaseRows(Plans.holding(found), plan);
    decision = new RowDecision(rows, memory, BEGUN);
    verifier = new Verifier(rows, decision);
    assertThat(decision.since()).isEqualTo(BEGUN);
  }

  /** Reads the entries of each conjunction in the order of the index, as they are by then. */
  private void scan(boolean amidWriters) {
    for (int i = plan.start().conjunction(); i < plan.conjunctions().size(); i++) {
      int number = i;
      scan(i, amidWriters);
      assertThat(given).allMatch(hit -> hit.behind().conjunction() <= number);
    }
  }

  private void scan(int number, boolean amidWriters) {
    Conjunction conjunction = plan.conjunctions().get(number);
    boolean reversed = plan.options().reversed();
    Lookup left =
        number == plan.start().conjunction()
            ? plan.start().rest(conjunction.lookup(), reversed)
            : conjunction.lookup();
    byte[] last = null;
    while (true) {
      TreeMap<byte[], List<Entry>> all =
          entries.getOrDefault(conjunction.lookup().table(), new TreeMap<>(Bytes.BYTES_COMPARATOR));
      byte[] next =
          last == null
              ? (all.isEmpty() ? null : reversed ? all.lastKey() : all.firstKey())
              : reversed ? all.lowerKey(last) : all.higherKey(last);
      if (next == null) {
        return;
      }
      last = next;
      if (left.parts().stream().anyMatch(part -> part.contains(next))) {
        for (EntryGroup group : groups(conjunction, number, next, all.get(next))) {
          for (int i = amidWriters ? random.nextInt(3) : 0; i > 0; i--) {
            write();
          }
          verify(group);
        }
      }
    }
  }

  /** In a list, entries of many rows are in one, newest first or oldest first. */
  private List<EntryGroup> groups(
      Conjunction conjunction, int number, byte[] row, List<Entry> entries) {
    if (conjunction.lookup().rows() != Lookup.Rows.LISTS) {
      return List.of(new EntryGroup(List.copyOf(entries), Position.behindRow(number, row)));
    }
    boolean reversed = plan.options().reversed();
    return entries.stream()
        .sorted(Comparator.comparingLong(e -> reversed ? e.timestamp() : -e.timestamp()))
        .filter(
            entry ->
                plan.start().conjunction() != number
                    || !conjunction.isBehind(plan.start(), entry, reversed))
        .map(e -> new EntryGroup(List.of(e), Position.behind(number, row, e)))
        .toList();
  }

  private void verify(EntryGroup group) {
    byte[] key = group.entries().get(0).key();
    found.put(key, row(Bytes.toString(key)));
    int conjunction = group.end().conjunction();
    EntryPage page = new EntryPage(conjunction, List.of(group), Optional.empty(), Optional.empty());
    boolean known = memory.knows(key);
    Verifier.Verdict verdict = verifier.verify(page).join();
    if (!plan.hasOnePlacePerRow() && !satisfies(Bytes.toString(key))) {
      boolean recent = group.entries().stream().anyMatch(entry -> entry.timestamp() >= BEGUN);
      assertThat(memory.knows(key)).isEqualTo(known || (recent && hasRoom));
    }
    Column column = plan.conjunctions().get(conjunction).index().column();
    Cell now = base.get(Bytes.toString(key)).get(column.toString());
    assertThat(verdict.suspects())
        .containsExactlyElementsOf(
            group.entries().stream()
                .filter(
                    entry ->
                        now.getTimestamp() != entry.timestamp()
                            || !Bytes.equals(valueOf(now), entry.token()))
                .toList());
    take(verdict.hits());
    if (random.nextInt(4) == 0) {
      memory.keep();
    }
  }

  private static byte[] valueOf(Cell cell) {
    return Bytes.copy(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
  }

  private void take(List<PositionedHit> hits) {
    for (PositionedHit hit : hits) {
      assertThat(satisfies(Bytes.toString(hit.hit().row()))).isTrue();
      assertThat(base.get(Bytes.toString(hit.hit().row())).values())
          .anyMatch(
              cell ->
                  cell.getTimestamp() == hit.hit().timestamp()
                      && Bytes.equals(valueOf(cell), hit.hit().value()));
    }
    given.addAll(hits);
  }

  private List<String> rows() {
    return given.stream().map(hit -> Bytes.toString(hit.hit().row())).toList();
  }

  @Test
  void ofRowsAtRest_eachHitComesOnce_andPagesGoOnBehindThem() throws Exception {
    for (int seed = 0; seed < QUERIES; seed++) {
      begin(seed, seed % 2 == 0);
      scan(false);
      assertThat(rows()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(always);
      assertThat(memory.givePostponed()).isEmpty();
      if (!given.isEmpty()) {
        List<String> all = rows();
        int cut = random.nextInt(all.size());
        Position behind = given.get(cut).behind();
        plan =
            QueryPlanner.plan(
                table, query.from(Continuations.write(plan.fingerprint(), behind)), BEGUN);
        run(seed % 2 == 0);
        scan(false);
        assertThat(rows()).as("seed %d", seed).isEqualTo(all.subList(cut + 1, all.size()));
        for (String before : plan.hasOnePlacePerRow() ? List.<String>of() : all.subList(0, cut)) {
          assertThat(decision.late(row(before), behind)).isEmpty();
        }
      }
    }
  }

  @Test
  void amidWriters_noRowComesTwice_andNoneIsMissedThatAlwaysWasAHit() throws Exception {
    int late = 0;
    for (int seed = 0; seed < QUERIES; seed++) {
      begin(seed, seed % 4 > 0);
      scan(true);
      given.addAll(memory.givePostponed());
      int met = given.size();
      for (String row : plan.hasOnePlacePerRow() ? Set.<String>of() : base.keySet()) {
        if (!memory.knows(Bytes.toBytes(row))) {
          decision.late(row(row), Position.startOf(0)).ifPresent(hit -> take(List.of(hit)));
        }
      }
      late += given.size() - met;
      assertThat(rows()).as("seed %d", seed).containsAll(always);
      List<String> distinct = rows().stream().filter(row -> hasRoom || !isChanged(row)).toList();
      assertThat(distinct).as("seed %d", seed).doesNotHaveDuplicates();
    }
    assertThat(late).isPositive();
  }

  private boolean isChanged(String row) {
    return base.get(row).values().stream().anyMatch(cell -> cell.getTimestamp() >= BEGUN);
  }
}
