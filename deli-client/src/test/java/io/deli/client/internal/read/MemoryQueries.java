package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.Continuation;
import io.deli.client.ValueHit;
import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.client.internal.KnownIndexes;
import io.deli.client.internal.read.NewestHits.Rank;
import io.deli.config.DeliSettings;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.query.Condition.OnIndex;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.CellMerger;
import io.deli.strategy.Index;
import io.deli.strategy.MergeTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Queries and tables in memory, drawn at random; tables may change while they are read. */
class MemoryQueries {
  private static final int ROWS = 12;

  /** Two or three postings. */
  private static final int LIST_BYTES = 25;

  static final long BEGUN = 100_000;
  static final String SALTED = "_salted";
  static final List<String> INDEXES =
      List.of("key", "time", "lists", "letters", "other", "key" + SALTED, "other" + SALTED);

  private final KnownIndexes first =
      Plans.table(
          Plans.index("key", "f:p"),
          Plans.index("time", "f:p").withOrder(EntryOrder.BY_TIME),
          Plans.index("lists", "f:p").withStrategy("lazy"),
          Plans.index("letters", "f:q").withTokenizer(Plans.Letters.class.getName()),
          Plans.index("other", "f:q").withOrder(EntryOrder.BY_TIME),
          Plans.index("key" + SALTED, "f:p").withOption(IndexDefinition.BUCKETS, "3"),
          Plans.index("other" + SALTED, "f:q")
              .withOrder(EntryOrder.BY_TIME)
              .withOption(IndexDefinition.BUCKETS, "2"),
          Plans.index("partial", "f:p").withCondition(Column.parse("f:q"), Plans.A));
  KnownIndexes table = first;
  MemoryTables tables;
  Random random;
  long clock;

  void begin(int seed) {
    random = new Random(seed);
    tables = new MemoryTables();
    table = first;
    clock = BEGUN;
  }

  /** Begins with so many versions that are older than any query. */
  void beginAtRest(int seed, int versions) {
    begin(seed);
    for (int i = 0; i < versions; i++) {
      write(drawRow(), drawColumn(), drawValue(), BEGUN - 1 - random.nextInt(40));
    }
    mergeSome();
  }

  /** Begins with so many versions, one after another. */
  void beginInOrder(int seed, int versions) {
    begin(seed);
    for (int i = 0; i < versions; i++) {
      write(drawRow(), drawColumn(), drawValue(), BEGUN - 100 + i);
    }
    mergeSome();
  }

  /** Has other tables with the same entries read, and written, from now on. */
  void rebuild() {
    KnownIndexes before = table;
    table =
        Plans.table(
            before.indexes().stream()
                .map(Index::definition)
                .map(definition -> definition.at(definition.generation() + 1))
                .toArray(IndexDefinition[]::new));
    for (int i = 0; i < table.indexes().size(); i++) {
      TableName from = before.indexes().get(i).table();
      for (byte[] row : tables.keys(from)) {
        tables.replace(table.indexes().get(i).table(), row, tables.row(from, row).listCells());
      }
    }
  }

  QueryEngine engine(int page, long memory) {
    Configuration configuration = new Configuration(false);
    configuration.setInt(DeliSettings.READ_PAGE.key(), page);
    configuration.setLong(DeliSettings.READ_MEMORY.key(), memory);
    configuration.setLong(DeliSettings.READ_SKEW.key(), 0);
    configuration.setInt(DeliSettings.REPAIR_QUEUE.key(), 0);
    return Plans.engine(tables.connection(), configuration, () -> Instant.ofEpochMilli(clock));
  }

  void write(String row, String column, String value, long timestamp) {
    write(row, column, value, timestamp, WriteId.NONE);
  }

  void write(String row, String column, String value, long timestamp, WriteId id) {
    byte[] key = Bytes.toBytes(row);
    BaseVersion version = new BaseVersion(key, Bytes.toBytes(value), timestamp, id);
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

  String drawRow() {
    return "r" + random.nextInt(ROWS);
  }

  String drawValue() {
    return List.of("a", "b", "ab", "bc", "cad", "d").get(random.nextInt(6));
  }

  String drawColumn() {
    return random.nextBoolean() ? "p" : "q";
  }

  ValueQuery condition() {
    return condition(INDEXES.get(random.nextInt(INDEXES.size())));
  }

  ValueQuery condition(String name) {
    ValueQuery.Target index = ValueQuery.on(name);
    byte[] value = {(byte) ('a' + random.nextInt(4))};
    return switch (random.nextInt(3)) {
      case 0 -> index.equalTo(value);
      case 1 -> index.prefix(value);
      default -> index.between(new byte[] {'a'}, new byte[] {(byte) (value[0] + 1)});
    };
  }

  /** The hits of a query, in pages with continuations if there is a limit to each. */
  List<ValueHit> read(int page, ValueQuery query, int limit) {
    List<ValueHit> hits = new ArrayList<>();
    try (QueryEngine engine = engine(page, 1 << 20)) {
      if (limit == Integer.MAX_VALUE) {
        engine.begin(Plans.fixed(table), query).join().forEach(hits::add);
        return hits;
      }
      Optional<Continuation> from = Optional.empty();
      do {
        ValueQuery next = from.map(query::from).orElse(query).limit(limit);
        ValuePage read = engine.page(Plans.fixed(table), next).join();
        hits.addAll(read.hits());
        from = read.continuation();
      } while (from.isPresent());
    }
    return hits;
  }

  Index index(OnIndex condition) {
    return table.indexes().stream()
        .filter(index -> index.name().equals(condition.index()))
        .findFirst()
        .orElseThrow();
  }

  List<Cell> versions(Result row, OnIndex condition, ValueQuery.Options options) {
    Column column = index(condition).column();
    long end = options.asOf().orElse(Long.MAX_VALUE - 1);
    return row.getColumnCells(column.family(), column.qualifier()).stream()
        .filter(cell -> cell.getTimestamp() <= end)
        .limit(options.versions())
        .toList();
  }

  boolean matches(OnIndex condition, Cell version) {
    return index(condition)
        .tokenizer()
        .matches(condition.predicate(), CellUtil.cloneValue(version));
  }

  /** The hits of a row, by their timestamps; of the first disjunct that holds. */
  List<Rank> hits(byte[] key, ValueQuery query) {
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

  /** The hits of all rows. */
  List<Rank> allHits(ValueQuery query) {
    return tables.keys(table.base()).stream()
        .flatMap(key -> hits(key, query).stream())
        .sorted()
        .toList();
  }

  /** Reads few entries at a time, by limits and without. */
  void assertRead(int seed, ValueQuery query, List<String> expected) {
    for (int limit : new int[] {1 + random.nextInt(4), Integer.MAX_VALUE}) {
      assertThat(texts(ranks(read(1 + random.nextInt(5), query, limit))))
          .as("seed %d: %s, limit %d", seed, query, limit)
          .isEqualTo(expected);
    }
  }

  static List<String> texts(List<Rank> ranks) {
    return ranks.stream().map(rank -> Bytes.toString(rank.key()) + "@" + rank.timestamp()).toList();
  }

  static List<Rank> ranks(List<ValueHit> hits) {
    return hits.stream().map(hit -> new Rank(hit.timestamp(), hit.row())).toList();
  }

  /** Watches the rows that satisfy a query while it runs. */
  final class Watch {
    final ValueQuery query;
    final Set<String> changed = new HashSet<>();

    /** Hits at some moment. */
    final Set<String> ever = new HashSet<>();

    /** Rows that were hits at each moment, with the last of their ranks. */
    final Map<String, Rank> always = new HashMap<>();

    Watch(ValueQuery query) {
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

  void changeSome(Watch watch) {
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
    if (random.nextInt(4) == 0) {
      mergeSome();
    }
  }

  /** Removes a row's entries of older versions, as an update in place does. */
  void retract(String row, String column) {
    byte[] key = Bytes.toBytes(row);
    Predicate<Entry> which = entry -> entry.timestamp() < clock && Bytes.equals(entry.key(), key);
    for (Index index : table.indexes()) {
      if (index.column().equals(Column.parse("f:" + column))) {
        if (isOfLists(index)) {
          merge(index, cell -> true, which);
        } else {
          tables.remove(index.table(), cell -> which.test(index.codec().decode(cell)));
        }
      }
    }
  }

  private static boolean isOfLists(Index index) {
    return index.strategy().mergeTime() != MergeTime.NEVER;
  }

  /** Merges some cells of posting lists, as a compaction of some files does. */
  private void mergeSome() {
    table.indexes().stream()
        .filter(MemoryQueries::isOfLists)
        .forEach(index -> merge(index, cell -> random.nextBoolean(), entry -> false));
  }

  /** Merges cells of posting lists, and removes entries from these. */
  private void merge(Index index, Predicate<Cell> which, Predicate<Entry> removed) {
    for (byte[] row : List.copyOf(tables.keys(index.table()))) {
      Map<Boolean, List<Cell>> before =
          tables.row(index.table(), row).listCells().stream()
              .collect(Collectors.partitioningBy(which));
      List<Cell> after = new ArrayList<>(before.get(false));
      List<Cell> cells = before.get(true);
      if (!cells.isEmpty()) {
        index.entries(Result.create(cells)).stream()
            .filter(removed)
            .flatMap(entry -> index.strategy().retract(index, entry).stream())
            .forEach(cells::add);
      }
      cells.sort(CellComparator.getInstance());
      CellMerger merger = index.strategy().merger(LIST_BYTES, true, random);
      cells.forEach(cell -> merger.add(cell, after::add));
      merger.end(after::add);
      tables.replace(index.table(), row, after);
    }
  }
}
