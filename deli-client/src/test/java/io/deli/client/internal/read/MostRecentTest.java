package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.internal.read.NewestHits.Rank;
import io.deli.entry.WriteId;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The most recent hits of tables in memory, compared with all hits in the order of time. */
class MostRecentTest extends MemoryQueries {
  private static final int QUERIES = 3_000;
  private static final int MANY = 1_000;

  private List<ValueHit> read(int page, long memory, ValueQuery query) {
    try (QueryEngine engine = engine(page, memory)) {
      return engine.page(Plans.fixed(table), query).join().hits();
    }
  }

  private ValueQuery compound() {
    return switch (random.nextInt(4)) {
      case 0 -> condition().and(condition());
      case 1 -> condition().or(condition());
      case 2 -> condition().and(condition()).or(condition());
      default -> condition();
    };
  }

  private List<Rank> expected(ValueQuery query) {
    return allHits(query).stream().limit(query.options().mostRecent().orElseThrow()).toList();
  }

  @Test
  void ofARowThatIsPutAgainAndAgain_fewEntriesAreRead() {
    begin(0);
    for (int i = 0; i < MANY; i++) {
      write("r", "p", "a", BEGUN - MANY + i);
    }
    ValueQuery all = ValueQuery.on("key").equalTo(Plans.A);
    for (ValueQuery query :
        List.of(all, all.mostRecent(1), all.reversed(), all.asOf(BEGUN - 500))) {
      try (QueryEngine engine = engine(256, 1 << 20)) {
        long timestamp = query.options().asOf().orElse(BEGUN - 1);
        assertThat(engine.page(Plans.fixed(table), query).join().hits())
            .extracting(ValueHit::timestamp)
            .containsExactly(timestamp);
        assertThat(engine.metrics().suspects()).isLessThan(16);
      }
    }
    assertThat(read(256, all.versions(3), Integer.MAX_VALUE)).hasSize(3);
  }

  /** The newest of a row may be the last: entries of such writes lie in the order of their ids. */
  @Test
  void ofARowThatIsPutAgainWithTimestamps_fewEntriesAreRead() {
    begin(0);
    for (int i = 0; i < MANY; i++) {
      write("r", "p", "a", BEGUN - MANY + i, WriteId.of(i, i));
    }
    ValueQuery all = ValueQuery.on("key").equalTo(Plans.A);
    for (ValueQuery query :
        List.of(all, all.reversed(), all.asOf(BEGUN - 500), all.and(all), all.or(all))) {
      try (QueryEngine engine = engine(256, 1 << 20)) {
        long timestamp = query.options().asOf().orElse(BEGUN - 1);
        assertThat(engine.page(Plans.fixed(table), query).join().hits())
            .extracting(ValueHit::timestamp)
            .containsExactly(timestamp);
        assertThat(engine.metrics().suspects()).isLessThanOrEqualTo(2 * 16);
      }
    }
    assertThat(texts(ranks(read(256, 1 << 20, all.mostRecent(1)))))
        .containsExactly("r@" + (BEGUN - 1));
    assertThat(read(256, all.versions(3), Integer.MAX_VALUE)).hasSize(3);
  }

  @Test
  void ofRowsAtRest_theyAreTheNewestOfAllHits() {
    for (int seed = 0; seed < QUERIES; seed++) {
      beginAtRest(seed, 60);
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
      beginInOrder(seed, 40);
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

  /** One answer has as many of them where posting lists have equal timestamps. */
  @Test
  void pagesThatAreThereAtOnce_doNotNest() {
    begin(0);
    for (int i = 0; i < 20 * MANY; i++) {
      write("r" + i, "p", "a", BEGUN - 1);
    }
    ValueQuery range = ValueQuery.on("key").between(Plans.A, Plans.B);
    assertThat(texts(ranks(read(1, 1 << 20, range.mostRecent(1)))))
        .containsExactly("r0@" + (BEGUN - 1));
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
