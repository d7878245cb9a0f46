package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.Continuation;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.postings.PostingLists;
import io.deli.test.cluster.ClientTable;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.RegionRequests;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of many cells: how they become so, and how they are read while that goes on. */
@ParameterizedClass
@ValueSource(strings = {"eager", "lazy"})
class PostingListsTest {
  private static final Column COLUMN = Column.parse("f:q");
  private static final String INDEX = "i";
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final ValueQuery QUERY = ValueQuery.on(INDEX).equalTo(VALUE);
  private static final int LIST_BYTES = 400;
  private static final int ROWS = 300;

  @Parameter String strategy;

  private final TableName name = MiniCluster.uniqueTable("lists");
  @AutoClose private ClientTable indexed;
  private DeliTable table;
  private Index index;

  @BeforeEach
  void create() throws IOException {
    indexed =
        ClientTable.createIndexed(
            TestTable.describe(name, family -> family.setMaxVersions(3)),
            IndexDefinition.on(INDEX, COLUMN).withStrategy(strategy));
    table = indexed.client();
    index = indexed.index();
    TestTable.set(index.table(), PostingLists.LIST_BYTES.key(), Integer.toString(LIST_BYTES));
  }

  private static String row(int number) {
    return "r%04d".formatted(number);
  }

  /** Timestamps rise with the rows' numbers. */
  private static Put put(int number) {
    return new Put(Bytes.toBytes(row(number)))
        .addColumn(COLUMN.family(), COLUMN.qualifier(), 1_000L + number, VALUE);
  }

  private static List<String> newestFirst(int rows) {
    List<String> expected =
        new ArrayList<>(IntStream.range(0, rows).mapToObj(PostingListsTest::row).toList());
    Collections.reverse(expected);
    return expected;
  }

  private HRegion indexRegion() {
    return MiniCluster.regions(index.table()).get(0);
  }

  private void compactIndex() throws IOException {
    TestTable.compact(index.table());
  }

  private List<Result> indexRows() throws IOException {
    return TestTable.rows(indexed.plain(), index.table(), new Scan().readAllVersions());
  }

  private List<Entry> entries() throws IOException {
    return indexed.read(index);
  }

  @Test
  void manyPostingsLieInFewCells() throws Exception {
    for (int i = 0; i < ROWS; i++) {
      table.put(put(i));
    }
    if (strategy.equals("lazy")) {
      assertThat(indexRows()).singleElement().extracting(Result::size).isEqualTo(ROWS);
      compactIndex();
    }
    assertThat(indexRows()).hasSize(1);
    assertThat(indexRows().get(0).size()).isBetween(2, ROWS / 8);
    assertThat(entries()).hasSize(ROWS);
    assertThat(indexed.find(QUERY)).isEqualTo(newestFirst(ROWS));
  }

  @Test
  void aListInAnyOrderOfTimeAndInBatches() throws Exception {
    List<Put> puts = new ArrayList<>(IntStream.range(0, ROWS).mapToObj(i -> put(i)).toList());
    Collections.shuffle(puts, new Random(1));
    table.put(puts.subList(0, ROWS / 2));
    for (Put put : puts.subList(ROWS / 2, ROWS)) {
      table.put(put);
    }
    if (strategy.equals("eager")) {
      assertListsAreApart(ROWS);
    }
    compactIndex();
    assertListsAreApart(ROWS);
    assertThat(indexed.find(QUERY)).isEqualTo(newestFirst(ROWS));
    assertThat(indexed.find(QUERY.reversed()))
        .isEqualTo(IntStream.range(0, ROWS).mapToObj(i -> row(i)).toList());
    assertThat(indexed.find(QUERY.asOf(1_099))).isEqualTo(newestFirst(100));
    assertThat(indexed.find(QUERY.limit(7))).isEqualTo(newestFirst(ROWS).subList(0, 7));
    assertThat(indexed.find(QUERY.mostRecent(5))).isEqualTo(newestFirst(ROWS).subList(0, 5));
  }

  /** And on average at least two fifths full: a posting takes 26 bytes. */
  private void assertListsAreApart(int postings) throws IOException {
    Result row = indexRows().get(0);
    List<Entry> inOrder = new ArrayList<>();
    for (Cell cell : row.rawCells()) {
      inOrder.addAll(index.entries(Result.create(List.of(cell))));
    }
    assertThat(inOrder).isEqualTo(index.entries(row)).hasSize(postings);
    assertThat(row.size()).isLessThan(5 * ROWS * 26 / 2 / LIST_BYTES);
  }

  /** One batch writes into the first list and into the last: those between stay between. */
  @Test
  void whatIsWrittenTogetherIsFoundByItsMarker() throws Exception {
    for (int i = 0; i < ROWS; i++) {
      table.put(put(i));
    }
    List<BaseVersion> late = new ArrayList<>();
    for (long timestamp : new long[] {1_000 + ROWS, 1_150, 1_001}) {
      // A compaction drops what no version justifies, unless it is of a write under way.
      WriteId underWay = WriteId.of(System.currentTimeMillis(), timestamp);
      late.add(new BaseVersion(Bytes.toBytes("late"), VALUE, timestamp, underWay));
    }
    try (Table lists = MiniCluster.connection().getTable(index.table())) {
      lists.put(
          late.stream()
              .flatMap(version -> index.strategy().write(index, version).stream())
              .toList());
      if (strategy.equals("lazy")) {
        compactIndex();
      }
      assertListsAreApart(ROWS + late.size());
      for (BaseVersion version : late) {
        for (Delete delete : index.retract(version)) {
          lists.delete(delete);
        }
      }
    }
    if (strategy.equals("lazy")) {
      compactIndex();
    }
    assertThat(entries()).hasSize(ROWS).noneMatch(e -> Bytes.toString(e.key()).equals("late"));
  }

  @Test
  void pagesAreWholeThoughListsAreFoldedBetweenThem() throws Exception {
    for (int i = 0; i < ROWS; i++) {
      table.put(put(i));
      if (i % 60 == 0) {
        indexRegion().flush(true);
      }
    }
    for (ValueQuery query : List.of(QUERY, QUERY.reversed())) {
      List<String> found = new ArrayList<>();
      Optional<Continuation> from = Optional.empty();
      int page = 0;
      do {
        ValueQuery next = from.map(query::from).orElse(query).limit(7);
        try (ValueScanner hits = table.readValue(next)) {
          for (ValueHit hit : hits) {
            found.add(Bytes.toString(hit.row()));
          }
          from = hits.continuation();
        }
        // Later than all, and in the midst of those still to come.
        table.put(put(5_000 + page));
        table.put(
            new Put(Bytes.toBytes("other"))
                .addColumn(COLUMN.family(), COLUMN.qualifier(), 1_150L + page % 5, VALUE));
        indexRegion().flush(true);
        if (page++ % 3 == 0) {
          compactIndex();
        }
      } while (from.isPresent());
      found.removeIf(row -> row.equals("other") || row.startsWith("r5"));
      List<String> expected = newestFirst(ROWS);
      if (query.options().reversed()) {
        Collections.reverse(expected);
      }
      assertThat(found).isEqualTo(expected);
    }
  }

  @Test
  void whatIsDeletedLeavesItsList() throws Exception {
    for (int i = 0; i < ROWS; i++) {
      table.put(put(i));
    }
    compactIndex();
    List<Entry> all = entries();
    List<Delete> deletes = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      if (number(all.get(i)) % 3 > 0) {
        index
            .strategy()
            .retract(index, all.get(i))
            .ifPresent(marker -> deletes.add(EntryCodec.delete(List.of(marker))));
      }
    }
    try (Table lists = MiniCluster.connection().getTable(index.table())) {
      lists.delete(deletes);
    }
    if (strategy.equals("lazy")) {
      assertThat(entries()).hasSize(ROWS);
      compactIndex();
    }
    assertThat(entries()).hasSize(ROWS / 3).allMatch(e -> number(e) % 3 == 0);
  }

  private static int number(Entry entry) {
    return Integer.parseInt(Bytes.toString(entry.key()).substring(1));
  }

  @Test
  void writersOfOneValueLoseNothing() throws Exception {
    int writers = 8;
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    List<Future<?>> running = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      int first = writer;
      running.add(
          threads.submit(
              () -> {
                for (int i = first; i < ROWS; i += writers) {
                  // Each by itself: what one connection combines is folded together.
                  try (Table lists = MiniCluster.connection().getTable(index.table())) {
                    BaseVersion version =
                        new BaseVersion(Bytes.toBytes(row(i)), VALUE, 1_000L + i, WriteId.NONE);
                    lists.put(index.strategy().write(index, version));
                  }
                }
                return null;
              }));
    }
    for (Future<?> each : running) {
      each.get();
    }
    threads.shutdown();
    int postings = 0;
    for (Cell cell : indexRows().get(0).rawCells()) {
      postings += index.entries(Result.create(List.of(cell))).size();
    }
    assertThat(postings).as("each once").isEqualTo(ROWS);
    assertThat(entries()).hasSize(ROWS);
  }

  @Test
  void theNewestAreFoundWithoutReadingTheList() throws Exception {
    List<Put> puts = IntStream.range(0, 3_000).mapToObj(i -> put(i)).toList();
    table.put(puts);
    AtomicInteger cells = new AtomicInteger();
    HookObserver.on(index.table())
        .each(Moment.SCANNED, (region, rows) -> rows.forEach(row -> cells.addAndGet(row.size())));
    for (boolean folded : new boolean[] {false, true}) {
      RegionRequests before = RegionRequests.of(index.table());
      cells.set(0);
      assertThat(indexed.find(QUERY.mostRecent(10))).isEqualTo(newestFirst(3_000).subList(0, 10));
      assertThat(RegionRequests.of(index.table()).since(before).reads()).isEqualTo(1);
      assertThat(cells).hasPositiveValue().hasValueLessThan(100);
      if (!folded) {
        compactIndex();
      }
    }
  }
}
