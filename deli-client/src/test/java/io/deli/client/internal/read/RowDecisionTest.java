package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import io.deli.client.internal.TableIndexes;
import io.deli.client.internal.read.EntryPage.EntryGroup;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.Index;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexDefinitions;
import io.deli.strategy.BaseVersion;
import java.util.ArrayList;
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
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
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
  private TableIndexes table;
  private QueryPlan plan;
  private RowMemory memory;
  private RowDecision decision;
  private Verifier verifier;
  private long clock;

  /** Columns p and q of each row, the newest version of each. */
  private final Map<String, TreeMap<String, Cell>> base = new HashMap<>();

  /** Rows of the index tables, and what each of them was written with. */
  private final Map<TableName, TreeMap<byte[], List<Entry>>> entries = new HashMap<>();

  private final Set<String> always = new HashSet<>();
  private final List<PlacedHit> given = new ArrayList<>();

  private TableIndexes table() {
    EntryOrder order = random.nextBoolean() ? EntryOrder.BY_KEY : EntryOrder.BY_TIME;
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
    for (String column : List.of("p", "q")) {
      IndexDefinitions.put(
          builder, IndexDefinition.on(column, Column.parse("f:" + column)).withOrder(order));
    }
    return TableIndexes.of(builder.build(), 0);
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
    Result row = row(key);
    return !row.isEmpty() && plan.conjunctions().stream().anyMatch(each -> each.holds(row));
  }

  private void begin(int seed, boolean room) throws Exception {
    random = new Random(seed);
    table = table();
    base.clear();
    entries.clear();
    always.clear();
    given.clear();
    clock = BEGUN - 100;
    plan = QueryPlanner.plan(table, query(), BEGUN);
    for (int i = 0; i < 15; i++) {
      write();
    }
    clock = BEGUN;
    memory = new RowMemory(room ? 1 << 20 : 0);
    BaseRows rows = new BaseRows(null, plan);
    decision = new RowDecision(plan, rows, memory, BEGUN);
    verifier = new Verifier(plan, rows, decision);
    base.keySet().stream().filter(this::satisfies).forEach(always::add);
  }

  /** Reads the entries of one conjunction in the order of the index, as they are by then. */
  private void scan(int number, boolean amidWriters) {
    Conjunction conjunction = plan.conjunctions().get(number);
    boolean reversed = plan.options().reversed();
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
      if (conjunction.lookup().parts().stream().anyMatch(part -> contains(part, next))) {
        List<Entry> met = List.copyOf(all.get(next));
        for (int i = amidWriters ? random.nextInt(3) : 0; i > 0; i--) {
          write();
        }
        verify(new EntryGroup(met, Position.behindRow(number, next)));
      }
    }
  }

  private static boolean contains(RowRange part, byte[] row) {
    return Bytes.compareTo(part.getStartRow(), row) <= 0
        && (part.getStopRow().length == 0 || Bytes.compareTo(row, part.getStopRow()) < 0);
  }

  private void verify(EntryGroup group) {
    byte[] key = group.entries().get(0).key();
    Map<byte[], Result> found = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    found.put(key, row(Bytes.toString(key)));
    int conjunction = group.end().conjunction();
    EntryPage page =
        new EntryPage(conjunction, List.of(group), Optional.of(found), Optional.empty());
    Verifier.Verdict verdict = verifier.verify(page).join();
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

  private void take(List<PlacedHit> hits) {
    for (PlacedHit hit : hits) {
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
  void ofRowsAtRest_eachHitComesOnce_atItsFirstEntry() throws Exception {
    for (int seed = 0; seed < QUERIES; seed++) {
      begin(seed, seed % 2 == 0);
      for (int i = 0; i < plan.conjunctions().size(); i++) {
        int before = i;
        scan(i, false);
        assertThat(given).allMatch(hit -> hit.behind().conjunction() <= before);
      }
      assertThat(rows()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(always);
      assertThat(memory.givePostponed()).isEmpty();
    }
  }

  @Test
  void amidWriters_noRowComesTwice_andNoneIsMissedThatAlwaysWasAHit() throws Exception {
    int late = 0;
    for (int seed = 0; seed < QUERIES; seed++) {
      begin(seed, true);
      for (int i = 0; i < plan.conjunctions().size(); i++) {
        scan(i, true);
      }
      given.addAll(memory.givePostponed());
      int met = given.size();
      Position end = Position.startOf(0);
      for (String row : plan.hasOnePlacePerRow() ? Set.<String>of() : base.keySet()) {
        if (!memory.knows(Bytes.toBytes(row))) {
          decision.late(row(row), end).ifPresent(hit -> take(List.of(hit)));
        }
      }
      late += given.size() - met;
      assertThat(rows()).as("seed %d", seed).doesNotHaveDuplicates().containsAll(always);
    }
    assertThat(late).isPositive();
  }
}
