package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.strategy.IndexDefinitions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Conjunctions on tables in memory, found by whichever condition has the fewest entries. */
class SmallestConditionTest extends MemoryQueries {
  private static final int QUERIES = 3_000;
  private static final int MANY = 200;
  private static final int PAGE = 10;
  private static final ValueQuery FEW = ValueQuery.on("letters").equalTo(Plans.A);
  private static final ValueQuery ALL = ValueQuery.on("key").equalTo(Plans.A);

  private ValueQuery compound() {
    ValueQuery both = condition().and(condition());
    ValueQuery query =
        switch (random.nextInt(4)) {
          case 0 -> both.or(condition());
          case 1 -> condition().or(both);
          case 2 -> both.and(condition());
          default -> both;
        };
    return random.nextInt(3) == 0 ? query.reversed() : query;
  }

  private static List<String> texts(List<ValueHit> hits, boolean ofRows) {
    return ofRows
        ? hits.stream().map(hit -> Bytes.toString(hit.row())).toList()
        : texts(ranks(hits));
  }

  /** By the first condition alone they are found in one page. */
  @Test
  void ofRowsAtRest_hitsComeInTheOrderOfTheFirstCondition() {
    for (int seed = 0; seed < QUERIES; seed++) {
      beginAtRest(seed, 60);
      tables.remove(table.base(), version -> random.nextInt(8) == 0);
      ValueQuery query = compound();
      query = random.nextInt(4) == 0 ? query.asOf(BEGUN - random.nextInt(40)) : query;
      List<String> expected = texts(read(256, query, Integer.MAX_VALUE), false);
      int page = 1 + random.nextInt(3);
      String what = "seed %d: %s".formatted(seed, query);
      assertThat(expected).as(what).containsExactlyInAnyOrderElementsOf(texts(allHits(query)));
      assertThat(texts(read(page, query, Integer.MAX_VALUE), false)).as(what).isEqualTo(expected);
      assertThat(texts(read(page, query, 1 + random.nextInt(4)), false))
          .as(what)
          .isEqualTo(expected);
    }
  }

  /** Each row changes once at most, so that one look at what changed meanwhile is enough. */
  @Test
  void amidWriters_aRowThatSatisfiesAllTheTimeComesOnce() {
    for (int seed = 0; seed < QUERIES; seed++) {
      beginInOrder(seed, 40);
      table.indexes().forEach(index -> tables.split(index.table(), middle(index.table())));
      Watch watch = new Watch(compound());
      tables.aheadOfRequests(() -> changeSome(watch));
      List<ValueHit> hits = read(1 + random.nextInt(3), watch.query, Integer.MAX_VALUE);
      String what = "seed %d: %s".formatted(seed, watch.query);
      assertThat(watch.ever).as(what).containsAll(texts(hits, false));
      assertThat(texts(hits, true))
          .as(what)
          .doesNotHaveDuplicates()
          .containsAll(watch.always.keySet());
    }
  }

  /**
   * Also if it came to where a later page reads, and the scan had come to its end before. A row
   * that changes sides of an {@code or} in between may come by both.
   */
  @Test
  void amidWriters_noTwoPagesHaveOneVersion() {
    for (int seed = 0; seed < QUERIES; seed++) {
      beginInOrder(seed, 12);
      ValueQuery query = random.nextBoolean() ? condition() : condition().and(condition());
      query = random.nextBoolean() ? query.reversed() : query;
      Watch watch = new Watch(query);
      tables.aheadOfRequests(() -> changeSome(watch));
      List<ValueHit> hits = read(1 + random.nextInt(3), query, 1 + random.nextInt(3));
      assertThat(texts(hits, false)).as("seed %d: %s", seed, query).doesNotHaveDuplicates();
    }
  }

  private byte[] middle(TableName indexTable) {
    List<byte[]> keys = List.copyOf(tables.keys(indexTable));
    return keys.get(random.nextInt(keys.size()));
  }

  private void fill() {
    begin(0);
    for (int i = 0; i < MANY; i++) {
      write("r%03d".formatted(i), "p", "a", BEGUN - 2 * MANY + i);
    }
    write("r150", "q", "a", BEGUN - 10);
    write("r190", "q", "a", BEGUN - 10);
  }

  private void assertCost(ValueQuery query, int limit, int scans, int gets) {
    int scansBefore = tables.scans();
    int getsBefore = tables.gets();
    assertThat(texts(read(PAGE, query, limit), true)).containsExactly("r150", "r190");
    assertThat(tables.scans() - scansBefore).as("scans of " + query).isEqualTo(scans);
    assertThat(tables.gets() - getsBefore).as("Gets of " + query).isEqualTo(gets);
  }

  @Test
  void theSmallestConditionIsAskedOnceTheFirstGoesOn_andFindsTheRest() {
    fill();
    assertCost(FEW.and(ALL), 5, 1, 2);
    assertCost(ALL.and(FEW), MANY, 2, PAGE + 2);
    assertCost(ALL.and(FEW), Integer.MAX_VALUE, 2, PAGE + 2);
    assertCost(ALL.and(ALL).and(FEW), MANY, 3, PAGE + 2);
  }

  /** At whichever request: a scan of two regions may miss it in both. */
  @Test
  void aRowThatMovesWithinTheSmallestConditionComesOnce() {
    ValueQuery moving = ValueQuery.on("other").between(Plans.A, new byte[] {'e'});
    ValueQuery range = ValueQuery.on("key").between(Plans.A, Plans.B);
    for (ValueQuery query : List.of(ALL.and(moving), range.and(moving))) {
      for (int request = 1; request <= 9; request++) {
        fill();
        retract("r190", "q");
        write("r190", "q", "d", BEGUN - 5);
        tables.split(IndexDefinitions.indexTable(table.base(), "other"), new byte[] {'c'});
        AtomicInteger left = new AtomicInteger(request);
        tables.aheadOfRequests(
            () -> {
              if (left.decrementAndGet() == 0) {
                write("r190", "q", "b", ++clock);
                retract("r190", "q");
              }
            });
        assertThat(texts(read(PAGE, query, MANY), true))
            .as("%s, request %d", query, request)
            .containsExactlyInAnyOrder("r150", "r190");
      }
    }
  }

  @Test
  void aConditionOfMoreThanFourPagesIsNotSmall() {
    fill();
    for (int i = 0; i < 4 * PAGE - 3; i++) {
      write("s%03d".formatted(i), "q", "a", BEGUN - 2);
    }
    assertCost(ALL.and(FEW), MANY, 2, PAGE + 4 * PAGE - 1);
    write("s999", "q", "a", BEGUN - 2);
    assertCost(ALL.and(FEW), MANY, MANY / PAGE + 2, MANY);
  }
}
