package io.deli.test.strategy;

import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.strategy.ScannedTable.row;
import static io.deli.test.strategy.ScannedTable.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.Continuation;
import io.deli.client.DeliAdmin;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.config.DeliSettings;
import io.deli.index.IndexDefinition;
import io.deli.query.Point;
import io.deli.strategy.next.NextStrategy;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.strategy.ScannedTable.Metric;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Lookups by a next index read the blocks that have what is wanted, and no others. */
class NextBlocksTest {
  private static final int ROWS = 4_000;
  private static final int FILES = 4;

  /** In no order; no two are neighbours. */
  private static final List<byte[]> VALUES = ScannedTable.shuffledValues(ROWS, 2);

  /** Every file spans all rows and all values, so that no range of either excludes it. */
  private static ScannedTable overlappingFiles(String strategy) throws IOException {
    ScannedTable table = ScannedTable.create(strategy, "postings");
    table.loadOverlapping(FILES, ROWS, VALUES::get);
    return table;
  }

  @Test
  void onlyTheBlockOfAValueIsRead() throws IOException {
    try (ScannedTable table = overlappingFiles("next")) {
      assertThat(table.find(VALUES.get(0))).containsExactly(row(0));
      for (int i : new int[] {1, 777, 2_222, ROWS - 1}) {
        long ofIndex = Metric.INDEX_READ.now();
        table.assertOneBlockRead(VALUES.get(i), row(i), FILES);
        // The postings of one file, or of two if a filter in memory errs.
        assertThat(Metric.INDEX_READ.now() - ofIndex).isBetween(1L, 2L);
        // Row Bloom filters exclude the other files, and err once in a hundred times.
        assertThat(table.readByHBase(ValueQuery.on(INDEX).equalTo(VALUES.get(i))))
            .isBetween(1L, 2L);
      }
      long read = Metric.READ.now();
      assertThat(table.find(value(2 * ROWS / 2 + 1))).as("between two values").isEmpty();
      assertThat(Metric.READ.now()).isEqualTo(read);
    }
  }

  /** A posting has only what tells its value from its neighbours. */
  @Test
  void ofLongValuesThatBeginAlikeOnlyThoseWantedAreHits() throws IOException {
    byte[] first = Bytes.toBytes("x".repeat(300));
    byte[] last = Bytes.toBytes("y".repeat(100));
    try (ScannedTable table = ScannedTable.create("next", "long")) {
      table.loadOverlapping(FILES, ROWS, i -> Bytes.add(first, VALUES.get(i), last));
      for (int i : new int[] {1, 777, ROWS - 1}) {
        byte[] value = Bytes.add(first, VALUES.get(i));
        assertThat(table.find(Bytes.add(value, last))).containsExactly(row(i));
        assertThat(table.find(Bytes.add(value, last, last))).isEmpty();
        assertThat(table.find(ValueQuery.on(INDEX).prefix(value))).containsExactly(row(i));
        assertThat(table.find(ValueQuery.on(INDEX).prefix(Bytes.add(value, first)))).isEmpty();
      }
      ValueQuery range =
          ValueQuery.on(INDEX)
              .between(Bytes.add(first, value(1_000)), Bytes.add(first, value(1_020)));
      assertThat(table.find(range)).hasSize(10);
    }
  }

  @Test
  void eachBlockOfARangeIsReadOnce() throws IOException {
    try (ScannedTable table = overlappingFiles("next")) {
      ValueQuery range = ValueQuery.on(INDEX).between(value(1_000), value(1_019));
      assertThat(table.find(range)).hasSize(10);
      long read = Metric.READ.now();
      assertThat(table.find(range)).hasSize(10);
      assertThat(Metric.READ.now() - read).isBetween(1L, 10L);
      // Each row is a Get, which its Bloom filters spare the other files.
      assertThat(table.readByHBase(range)).isBetween(1L, 12L);
      ValueQuery most = ValueQuery.on(INDEX).atLeast(value(10));
      long ofIndex = Metric.INDEX_READ.now();
      assertThat(table.find(most.limit(1))).hasSize(1);
      long ofOnePage = Metric.INDEX_READ.now() - ofIndex;
      read = Metric.READ.now();
      long skipped = Metric.SKIPPED.now();
      ofIndex = Metric.INDEX_READ.now();
      assertThat(table.find(most)).as("several pages").hasSize(ROWS - 5);
      assertThat(Metric.READ.now() - read).isBetween(1L, table.blocks());
      assertThat(Metric.SKIPPED.now() - skipped).isLessThan(table.blocks() / 10);
      assertThat(Metric.INDEX_READ.now() - ofIndex).isEqualTo(ofOnePage);
    }
  }

  private static Put put(int row, byte[] value) {
    return new Put(Bytes.toBytes(row(row)))
        .addColumn(TestTable.COLUMN.family(), TestTable.COLUMN.qualifier(), value);
  }

  /** What an earlier page found in files that are gone by then, or less than there is now. */
  @Test
  void pagesGoOnWhileFilesChange() throws IOException {
    try (ScannedTable table = overlappingFiles("next")) {
      ValueQuery all = ValueQuery.on(INDEX).atLeast(value(0)).limit(300);
      List<String> found = new ArrayList<>();
      Optional<Continuation> next = Optional.empty();
      do {
        int page = found.size() / 300;
        try (ValueScanner hits = table.table().readValue(next.map(all::from).orElse(all))) {
          hits.forEach(hit -> found.add(Bytes.toString(hit.row())));
          next = hits.continuation();
        }
        // Behind the page: one row that comes, and one that goes.
        table.table().put(put(ROWS + page, value(7)));
        table.table().put(put(ROWS - 1 - page, Bytes.toBytes("not in the range")));
        table.flush();
        if (page % 4 == 3) {
          MiniCluster.utility().compact(table.name(), true);
        }
      } while (next.isPresent());
      assertThat(found).doesNotHaveDuplicates().isSorted().contains(row(ROWS), row(ROWS + 10));
      assertThat(found).doesNotContain(row(ROWS - 1), row(ROWS - 10)).hasSize(ROWS);
    }
  }

  /** One value far from all others: what lies between is in no zone. */
  @Test
  void wideGapsAreInNoZone() throws IOException {
    try (ScannedTable table = ScannedTable.create("next", "gap")) {
      table.load(ROWS, i -> true, i -> value(i == 7 ? 999_999 : i));
      assertThat(table.find(value(999_999))).containsExactly(row(7));
      long ofIndex = Metric.INDEX_READ.now();
      assertThat(table.find(ValueQuery.on(INDEX).between(value(400_000), value(500_000))))
          .isEmpty();
      assertThat(Metric.INDEX_READ.now()).isEqualTo(ofIndex);
      assertThat(table.find(value(999_999))).containsExactly(row(7));
      assertThat(Metric.INDEX_READ.now()).isGreaterThan(ofIndex);
    }
  }

  @Test
  void theNewestHitsEndTheSearch() throws IOException {
    try (ScannedTable table = ScannedTable.ofOneValue("next", FILES, ROWS)) {
      ValueQuery newest = ValueQuery.on(INDEX).equalTo(value(0)).mostRecent(3);
      long read = Metric.READ.now();
      assertThat(table.find(newest)).containsExactly(row(ROWS - 1), row(ROWS - 3), row(ROWS - 4));
      assertThat(Metric.READ.now() - read).isBetween(1L, (long) FILES);
    }
  }

  /** One of the files is cut off, and each has one of the newest as its last row. */
  @Test
  void theNewestOfMoreMatchesThanALookupRemembersAreFound() throws IOException {
    int files = 11;
    int rows = 9_200 * files;
    try (ScannedTable table = ScannedTable.create("next", "crowd")) {
      byte[] value = value(0);
      table.loadOverlapping(files, rows, i -> value);
      List<String> newest = new ArrayList<>();
      for (int i = 1; i <= files; i++) {
        newest.add(row(rows - i));
      }
      assertThat(table.find(ValueQuery.on(INDEX).equalTo(value).mostRecent(files)))
          .isEqualTo(newest);
    }
  }

  /** More rows have it in the first file than a lookup remembers. */
  @Test
  void whereMostAreSupersededTheRestIsFound() throws Exception {
    try (ScannedTable table = ScannedTable.create("next", "superseded")) {
      table.load(ROWS, i -> true, i -> value(0));
      table.load(ROWS, i -> i < 3_500 && i != 17, i -> value(1));
      List<String> rest = IntStream.range(3_500, ROWS).mapToObj(ScannedTable::row).toList();
      List<String> hits = table.find(value(0));
      assertThat(hits).startsWith(row(17)).hasSize(501).endsWith(row(ROWS - 1));
      assertThat(hits.subList(1, 501)).isEqualTo(rest);
      assertThat(table.find(value(1))).hasSize(3_499);
    }
  }

  @Test
  void postingsThatDoNotFitIntoMemoryAreMerged() throws Exception {
    try (ScannedTable table = overlappingFiles("next")) {
      TestTable.set(table.name(), NextStrategy.SORT_BYTES.key(), String.valueOf(64 << 10));
      MiniCluster.utility().compact(table.name(), true);
      assertThat(table.files()).hasSize(1);
      long searched = Metric.SEARCHED_WHOLE.now();
      for (int i = 0; i < ROWS; i += 97) {
        assertThat(table.find(VALUES.get(i))).containsExactly(row(i));
      }
      assertThat(table.find(ValueQuery.on(INDEX).between(value(1_000), value(2_999))))
          .hasSize(1_000);
      assertThat(Metric.SEARCHED_WHOLE.now()).isEqualTo(searched);
    }
  }

  /** A disk that is full is such a place, too. */
  @Test
  void withoutRoomForThemAFileIsWrittenWithout() throws Exception {
    try (ScannedTable table = ScannedTable.create("next", "full")) {
      TestTable.set(table.name(), NextStrategy.SORT_BYTES.key(), String.valueOf(64 << 10));
      TestTable.set(table.name(), "hbase.local.dir", "/dev/null/none");
      table.load(ROWS, i -> true, VALUES::get);
      long searched = Metric.SEARCHED_WHOLE.now();
      assertThat(table.find(VALUES.get(777))).containsExactly(row(777));
      assertThat(Metric.SEARCHED_WHOLE.now()).isEqualTo(searched + 1);
    }
  }

  /** An index on rows that are there already answers at once. */
  @Test
  void filesFromBeforeTheIndexAreSearchedWhole() throws IOException {
    try (ScannedTable table = overlappingFiles("none")) {
      DeliAdmin admin = DeliAdmin.of(MiniCluster.connection());
      admin.dropIndex(table.name(), INDEX);
      admin.createIndex(
          table.name(), IndexDefinition.on(INDEX, TestTable.COLUMN).withStrategy("next"));
      try (ScannedTable indexed = ScannedTable.open(table.name())) {
        long searched = Metric.SEARCHED_WHOLE.now();
        assertThat(indexed.find(VALUES.get(777))).containsExactly(row(777));
        assertThat(Metric.SEARCHED_WHOLE.now()).isEqualTo(searched + FILES);
        MiniCluster.utility().compact(table.name(), true);
        searched = Metric.SEARCHED_WHOLE.now();
        long read = Metric.READ.now();
        assertThat(indexed.find(VALUES.get(777))).containsExactly(row(777));
        assertThat(Metric.SEARCHED_WHOLE.now()).isEqualTo(searched);
        assertThat(Metric.READ.now() - read).isEqualTo(1);
      }
    }
  }

  /** The larger region's first, though the other one may open ahead of it. */
  @Test
  void largeFilesFromBeforeTheIndexAreCompactedForIt() throws Exception {
    try (ScannedTable table = ScannedTable.create("none", "lazy", row(ROWS / 4))) {
      table.loadOverlapping(FILES, ROWS, VALUES::get);
      TestTable.set(table.name(), NextStrategy.UNINDEXED.key(), "1000");
      MiniCluster.move(table.name(), MiniCluster.serverOf(table.name()));
      DeliAdmin admin = DeliAdmin.of(MiniCluster.connection());
      admin.dropIndex(table.name(), INDEX);
      admin.createIndex(
          table.name(), IndexDefinition.on(INDEX, TestTable.COLUMN).withStrategy("next"));
      try (ScannedTable indexed = ScannedTable.open(table.name())) {
        MiniCluster.utility().waitFor(60_000, 50, () -> indexed.files().size() == 2);
        long searched = Metric.SEARCHED_WHOLE.now();
        assertThat(indexed.find(VALUES.get(777))).containsExactly(row(777));
        assertThat(Metric.SEARCHED_WHOLE.now()).isEqualTo(searched);
        List<HStoreFile> written = new ArrayList<>(indexed.files());
        written.sort(Comparator.comparingLong(NextBlocksTest::created));
        assertThat(written.get(0).getReader().length())
            .isGreaterThan(2 * written.get(1).getReader().length());
      }
    }
  }

  /** A compaction would write a file without it again, unless it may take more memory. */
  @Test
  void filesWhoseIndexIsTooLargeAreCompactedForItWhenItFits() throws Exception {
    try (ScannedTable table = ScannedTable.create("next", "vain");
        ScannedTable smaller = ScannedTable.create("next", "smaller")) {
      ServerName server = MiniCluster.serverOf(table.name());
      MiniCluster.move(table.name(), server);
      MiniCluster.move(smaller.name(), server);
      Path written = loadWithout(table, "10000", ROWS);
      Path other = loadWithout(smaller, "100", ROWS / 4);
      awaitCompactionOf(other, smaller);
      // It was the larger one's turn before.
      assertThat(table.files()).extracting(HStoreFile::getPath).containsExactly(written);
      awaitCompactionOf(written, table);
      long searched = Metric.SEARCHED_WHOLE.now();
      assertThat(table.find(VALUES.get(777))).containsExactly(row(777));
      assertThat(Metric.SEARCHED_WHOLE.now()).isEqualTo(searched);
    }
  }

  /** Loads a file whose index may take so many bytes, which is too few. */
  private static Path loadWithout(ScannedTable table, String bytes, int rows) throws IOException {
    TestTable.set(table.name(), DeliSettings.BLOCK_INDEX_WRITE.key(), bytes);
    table.load(rows, i -> true, VALUES::get);
    TestTable.set(table.name(), NextStrategy.UNINDEXED.key(), "1000");
    return table.files().get(0).getPath();
  }

  /** Has its index take any memory, for which the file is compacted. */
  private static void awaitCompactionOf(Path written, ScannedTable table) throws Exception {
    TestTable.set(table.name(), DeliSettings.BLOCK_INDEX_WRITE.key(), "10000000");
    MiniCluster.utility()
        .waitFor(
            60_000,
            50,
            () -> table.files().stream().noneMatch(file -> file.getPath().equals(written)));
  }

  private static long created(HStoreFile file) {
    return file.getReader().getHFileReader().getFileContext().getFileCreateTime();
  }

  /** Points on a diagonal: a rectangle beside it has tokens between theirs, but none of them. */
  @Test
  void rectanglesReadTheBlocksWithPointsInside() throws IOException {
    try (ScannedTable table = ScannedTable.ofPoints("next", "rectangles")) {
      table.load(ROWS, i -> true, i -> new Point(i, i).toBytes());
      assertThat(table.find(within(0, 0, 9, 9))).hasSize(10);
      long blocks = table.blocks();
      long read = Metric.READ.now();
      long skipped = Metric.SKIPPED.now();
      assertThat(table.find(within(1_000, 1_000, 1_009, 1_009))).hasSize(10);
      assertThat(Metric.READ.now() - read).isBetween(1L, 3L);
      assertThat(Metric.SKIPPED.now() - skipped).isBetween(blocks - 3, blocks);
      read = Metric.READ.now();
      long ofIndex = Metric.INDEX_READ.now();
      assertThat(table.find(within(0, 2_100, 1_900, ROWS))).isEmpty();
      assertThat(Metric.READ.now()).isEqualTo(read);
      assertThat(Metric.INDEX_READ.now()).isEqualTo(ofIndex);
    }
  }

  private static ValueQuery within(int lowX, int lowY, int highX, int highY) {
    return ValueQuery.on(INDEX)
        .between(new Point(lowX, lowY).toBytes(), new Point(highX, highY).toBytes());
  }
}
