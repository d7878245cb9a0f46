package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.internal.KnownIndexes;
import io.deli.client.internal.read.NewestHits.Rank;
import io.deli.config.DeliSettings;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.query.Condition.OnIndex;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The most recent hits of tables in memory, compared with all hits in the order of time. */
class MostRecentTest {
  private static final int QUERIES = 3_000;
  private static final int ROWS = 12;
  private static final int MANY = 1_000;
  private static final long BEGUN = 100_000;
  private static final List<String> INDEXES = List.of("key", "time", "letters", "other");

  private final KnownIndexes table =
      Plans.table(
          Plans.index("key", "f:p"),
          Plans.index("time", "f:p").withOrder(EntryOrder.BY_TIME),
          Plans.index("letters", "f:q").withTokenizer(Plans.Letters.class.getName()),
          Plans.index("other", "f:q").withOrder(EntryOrder.BY_TIME));
  private MemoryTables tables;
  private Random random;
  private long clock;

  private void begin(int seed) {
    random = new Random(seed);
    tables = new MemoryTables();
    clock = BEGUN;
  }

  private QueryEngine engine(int page, long memory) {
    Configuration configuration = new Configuration(false);
    configuration.setInt(DeliSettings.READ_PAGE.key(), page);
    configuration.setLong(DeliSettings.READ_MEMORY.key(), memory);
    configuration.setLong(DeliSettings.READ_SKEW.key(), 0);
    configuration.setInt(DeliSettings.REPAIR_QUEUE.key(), 0);
    return new QueryEngine(tables.connection(), configuration, () -> Instant.ofEpochMilli(clock));
  }

  private List<ValueHit> read(int page, long memory, ValueQuery query) {
    try (QueryEngine engine = engine(page, memory)) {
      return engine.page(table, query).join().hits();
    }
  }

  private void write(String row, String column, String value, long timestamp) {
    byte[] key = Bytes.toBytes(row);
    BaseVersion version = new BaseVersion(key, Bytes.toBytes(value), timestamp, WriteId.NONE);
    Column written = Column.parse("f:" + column);
    for (Index index : table.indexes()) {
      if (index.column().equals(written)) {
        index.strategy().write(index, version).forEach(put -> tables.put(index.table(), put));
      }
    }
    tables.put(
        table.base(),
        new Put(key)
            .addColumn(written.family(), written.qualifier(), timestamp, Bytes.toBytes(value)));
  }

  private String drawRow() {
    return "r" + random.nextInt(ROWS);
  }

  private String drawValue() {
    return List.of("a", "b", "ab", "bc", "cad", "d").get(random.nextInt(6));
  }

  private String drawColumn() {
    return random.nextBoolean() ? "p" : "q";
  }

  private ValueQuery condition() {
    ValueQuery.Target index = ValueQuery.on(INDEXES.get(random.nextInt(INDEXES.size())));
    byte[] value = {(byte) ('a' + random.nextInt(4))};
    return switch (random.nextInt(3)) {
      case 0 -> index.equalTo(value);
      case 1 -> index.prefix(value);
      default -> index.between(new byte[] {'a'}, new byte[] {(byte) (value[0] + 1)});
    };
  }

  private ValueQuery compound() {
    return switch (random.nextInt(4)) {
      case 0 -> condition().and(condition());
      case 1 -> condition().or(condition());
      case 2 -> condition().and(condition()).or(condition());
      default -> condition();
    };
  }

  private Index index(OnIndex condition) {
    return table.indexes().stream()
        .filter(index -> index.name().equals(condition.index()))
        .findFirst()
        .orElseThrow();
  }

  private List<Cell> versions(Result row, OnIndex condition, ValueQuery.Options options) {
    Column column = index(condition).column();
    long end = options.asOf().orElse(Long.MAX_VALUE - 1);
    return row.getColumnCells(column.family(), column.qualifier()).stream()
        .filter(cell -> cell.getTimestamp() <= end)
        .limit(options.versions())
        .toList();
  }

  private boolean matches(OnIndex condition, Cell version) {
    return index(condition)
        .tokenizer()
        .matches(condition.predicate(), CellUtil.cloneValue(version));
  }

  /** The hits of a row, by their timestamps; of the first disjunct that holds. */
  private List<Rank> hits(byte[] key, ValueQuery query) {
    Result row = tables.row(table.base(), key);
    for (List<OnIndex> all : query.condition().disjuncts()) {
      boolean holds =
          all.stream()
              .skip(1)
              .allMatch(
                  on ->
                      versions(row, on, query.options()).stream()
                          .limit(1)
                          .anyMatch(version -> matches(on, version)));
      List<Rank> hits =
          versions(row, all.get(0), query.options()).stream()
              .filter(version -> holds && matches(all.get(0), version))
              .map(version -> new Rank(version.getTimestamp(), key))
              .toList();
      if (!hits.isEmpty()) {
        return hits;
      }
    }
    return List.of();
  }

  private List<Rank> expected(ValueQuery query) {
    return tables.keys(table.base()).stream()
        .flatMap(key -> hits(key, query).stream())
        .sorted()
        .limit(query.options().mostRecent().orElseThrow())
        .toList();
  }

  private static List<String> texts(List<Rank> ranks) {
    return ranks.stream().map(rank -> Bytes.toString(rank.key()) + "@" + rank.timestamp()).toList();
  }

  private static List<Rank> ranks(List<ValueHit> hits) {
    return hits.stream().map(hit -> new Rank(hit.timestamp(), hit.row())).toList();
  }

  @Test
  void ofRowsAtRest_theyAreTheNewestOfAllHits() {
    for (int seed = 0; seed < QUERIES; seed++) {
      begin(seed);
      for (int i = 0; i < 60; i++) {
        write(drawRow(), drawColumn(), drawValue(), BEGUN - 1 - random.nextInt(40));
      }
      // Exact deletes: an older version is the row's newest, ahead of which is a stale entry.
      tables.remove(table.base(), version -> random.nextInt(8) == 0);
      boolean simple = random.nextBoolean();
      ValueQuery query = simple ? condition().versions(1 + random.nextInt(3)) : compound();
      query = query.mostRecent(1 + random.nextInt(8));
      query = random.nextInt(4) == 0 ? query.asOf(BEGUN - random.nextInt(40)) : query;
      int page = List.of(1, 2, 5, 256).get(random.nextInt(4));
      long memory = List.of(0L, 2_000L, 1L << 20).get(random.nextInt(3));
      assertThat(texts(ranks(read(page, memory, query))))
          .as("seed %d: %s", seed, query)
          .isEqualTo(texts(expected(query)));
    }
  }

  /** Each row changes once at most, so that one look at what changed meanwhile is enough. */
  @Test
  void amidWriters_noRowIsMissedThatWasAmongThemAllTheTime() {
    int changedFound = 0;
    for (int seed = 0; seed < QUERIES; seed++) {
      begin(seed);
      for (int i = 0; i < 40; i++) {
        write(drawRow(), drawColumn(), drawValue(), BEGUN - 100 + i);
      }
      int most = 1 + random.nextInt(6);
      Watch watch = new Watch(compound().mostRecent(most));
      tables.aheadOfRequests(() -> changeSome(watch));
      boolean room = seed % 3 > 0;
      List<Rank> hits = ranks(read(1 + random.nextInt(4), room ? 1 << 20 : 0, watch.query));
      String what = "seed %d: %s".formatted(seed, watch.query);
      assertThat(hits).as(what).isSorted().hasSizeLessThanOrEqualTo(most);
      assertThat(watch.ever).as(what).containsAll(texts(hits));
      List<String> rows = hits.stream().map(rank -> Bytes.toString(rank.key())).toList();
      if (room) {
        assertThat(rows).as(what).doesNotHaveDuplicates();
      }
      watch.always.forEach(
          (row, least) -> {
            boolean outranked = hits.size() == most && hits.get(most - 1).compareTo(least) < 0;
            assertThat(rows.contains(row) || outranked).as("%s, %s", what, row).isTrue();
          });
      changedFound += rows.stream().anyMatch(watch.changed::contains) ? 1 : 0;
    }
    assertThat(changedFound).isPositive();
  }

  /** Watches the rows that satisfy a query while it runs. */
  private final class Watch {
    private final ValueQuery query;
    private final Set<String> changed = new HashSet<>();

    /** Hits at some moment. */
    private final Set<String> ever = new HashSet<>();

    /** Rows that were hits at each moment, with the last of their ranks. */
    private final Map<String, Rank> always = new HashMap<>();

    private Watch(ValueQuery query) {
      this.query = query;
      for (byte[] key : tables.keys(table.base())) {
        hits(key, query).forEach(rank -> always.put(Bytes.toString(key), rank));
      }
      look();
    }

    private void look() {
      for (byte[] key : tables.keys(table.base())) {
        List<Rank> hits = hits(key, query);
        ever.addAll(texts(hits));
        always.computeIfPresent(
            Bytes.toString(key),
            (row, last) ->
                hits.stream()
                    .map(now -> now.compareTo(last) > 0 ? now : last)
                    .findFirst()
                    .orElse(null));
      }
    }
  }

  private void changeSome(Watch watch) {
    for (int i = random.nextInt(3); i > 0; i--) {
      String row = drawRow();
      if (watch.changed.add(row)) {
        String column = drawColumn();
        write(row, column, drawValue(), ++clock);
        if (random.nextBoolean()) {
          retract(row, column);
        }
        watch.look();
      }
    }
  }

  /** Removes a row's entries of older versions, as an update in place does. */
  private void retract(String row, String column) {
    for (Index index : table.indexes()) {
      if (index.column().equals(Column.parse("f:" + column))) {
        tables.remove(
            index.table(),
            cell -> {
              Entry entry = index.codec().decode(cell);
              return entry.timestamp() < clock && Bytes.equals(entry.key(), Bytes.toBytes(row));
            });
      }
    }
  }

  @Test
  void theTenNewestOfManyTakeTenGets() {
    ValueQuery range = ValueQuery.on("time").between(Plans.A, Plans.B);
    for (ValueQuery query :
        List.of(
            ValueQuery.on("key").equalTo(Plans.A),
            range,
            range.and(ValueQuery.on("other").equalTo(Plans.A)))) {
      begin(0);
      for (int i = 0; i < MANY; i++) {
        write("r" + i, "p", "a", BEGUN - 2 * MANY + i);
        write("r" + i, "q", "a", BEGUN - 2 * MANY + i);
      }
      List<ValueHit> hits = read(256, 1 << 20, query.mostRecent(10));
      assertThat(hits).as(query.toString()).hasSize(10);
      assertThat(Bytes.toString(hits.get(9).row())).isEqualTo("r" + (MANY - 10));
      assertThat(tables.gets()).as(query.toString()).isEqualTo(10);
      assertThat(tables.scans()).as(query.toString()).isEqualTo(1);
    }
  }

  @Test
  void staleEntriesCostAGetEach_manyOfOneRowOneGet() {
    begin(0);
    for (int i = 0; i < MANY; i++) {
      write("r" + i, "p", "a", BEGUN - 2 * MANY + i);
    }
    for (int i = 1; i <= 10; i++) {
      write("r" + (MANY - 2 * i), "p", "d", BEGUN - 1);
      write("r0", "p", "b", BEGUN - 50 + i);
    }
    ValueQuery range = ValueQuery.on("key").between(Plans.A, Plans.B);
    assertThat(texts(ranks(read(256, 1 << 20, range.mostRecent(3)))))
        .containsExactly(
            "r0@" + (BEGUN - 40),
            "r" + (MANY - 1) + "@" + (BEGUN - MANY - 1),
            "r" + (MANY - 3) + "@" + (BEGUN - MANY - 3));
    assertThat(tables.gets()).isBetween(5, 10);
  }

  @Test
  void aSideOfAnOrReadsNothingThatIsOlderThanWhatWasFound() {
    begin(0);
    for (int i = 0; i < MANY; i++) {
      write("r" + i, "p", "a", BEGUN - 2 * MANY + i);
      write("s" + i, "q", "d", BEGUN - 4 * MANY + i);
    }
    ValueQuery newer = ValueQuery.on("key").equalTo(Plans.A);
    ValueQuery older = ValueQuery.on("letters").equalTo(new byte[] {'d'});
    assertThat(read(256, 1 << 20, newer.or(older).mostRecent(10))).hasSize(10);
    assertThat(tables.gets()).isEqualTo(10);
    assertThat(read(256, 1 << 20, older.or(newer).mostRecent(10))).hasSize(10);
    assertThat(tables.gets()).isEqualTo(30);
  }
}
