package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.internal.KnownIndexes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Rows that move while a query with a limit reads them, or one whose indexes are built anew. */
class MovedRowsTest extends MemoryQueries {
  private static final int QUERIES = 500;
  private static final ValueQuery RANGE = ValueQuery.on("key").between(Plans.A, new byte[] {'y'});

  private void moveAheadOfRequest(int number, String row, String value) {
    AtomicInteger left = new AtomicInteger(number);
    tables.aheadOfRequests(
        () -> {
          if (left.decrementAndGet() == 0) {
            write(row, "p", value, ++clock);
            retract(row, "p");
          }
        });
  }

  private CurrentDefinitions rebuiltWhen(BooleanSupplier time) {
    return new CurrentDefinitions(
        table.base(), () -> known(time.getAsBoolean()), () -> known(false));
  }

  private CompletableFuture<KnownIndexes> known(boolean rebuilt) {
    if (rebuilt) {
      rebuild();
    }
    return CompletableFuture.completedFuture(table);
  }

  private static List<String> rows(List<ValueHit> hits) {
    return hits.stream().map(hit -> Bytes.toString(hit.row())).toList();
  }

  /** Stale entries have the last scan ask for more rows than there are. */
  @Test
  void aRowComesWithTheNextPage_ifTheScanEndsJustWithTheLimit() {
    begin(0);
    for (String stale : List.of("s1", "s2", "s3")) {
      write(stale, "p", "a", BEGUN - 20);
      write(stale, "p", "z", BEGUN - 10);
    }
    write("moved", "p", "c", BEGUN - 5);
    write("quiet", "p", "d", BEGUN - 5);
    moveAheadOfRequest(6, "moved", "x");
    assertThat(rows(read(256, RANGE, 1))).containsExactly("quiet", "moved");
  }

  /** HBase's client opens a scan anew if its region moves between two responses. */
  @Test
  void aRowComes_thoughItMovesBehindAScanBetweenTwoResponses() {
    for (int rows = 1; rows <= 2; rows++) {
      begin(0);
      write("r1", "p", "b", BEGUN - 5);
      write("r2", "p", "c", BEGUN - 5);
      write("moved", "p", "d", BEGUN - 5);
      tables.divide(rows);
      moveAheadOfRequest(2, "moved", "ab");
      assertThat(rows(read(256, RANGE, Integer.MAX_VALUE)))
          .as("%d rows a response", rows)
          .containsExactlyInAnyOrder("r1", "r2", "moved");
    }
  }

  /** Known as one to come at the end, when the query goes on in another generation. */
  @Test
  void aRowComes_thoughTheIndexIsBuiltAnewMeanwhile() {
    begin(0);
    write("r1", "p", "a", BEGUN - 5);
    write("r2", "p", "b", BEGUN - 5);
    write("moved", "p", "c", BEGUN - 5);
    moveAheadOfRequest(4, "moved", "d");
    AtomicInteger asked = new AtomicInteger();
    // The page with which the row moves still counts.
    CurrentDefinitions definitions =
        rebuiltWhen(() -> clock > BEGUN && asked.incrementAndGet() == 2);
    try (QueryEngine engine = engine(2, 1 << 20)) {
      assertThat(rows(engine.page(definitions, RANGE.limit(10)).join().hits()))
          .containsExactly("r1", "r2", "moved");
    }
    assertThat(asked.get()).isGreaterThan(2);
  }

  @Test
  void amidWritersAndRebuilds_aRowThatSatisfiesAllTheTimeComesOnce() {
    for (int seed = 0; seed < QUERIES; seed++) {
      beginInOrder(seed, 40);
      ValueQuery query = random.nextBoolean() ? condition() : condition().or(condition());
      query = random.nextBoolean() ? query.reversed() : query;
      Watch watch = new Watch(random.nextBoolean() ? query.limit(100) : query);
      tables.aheadOfRequests(() -> changeSome(watch));
      List<ValueHit> hits = new ArrayList<>();
      try (QueryEngine engine = engine(1 + random.nextInt(3), 1 << 20);
          ValueScanner scanner =
              engine.begin(rebuiltWhen(() -> random.nextInt(16) == 0), watch.query).join()) {
        scanner.forEach(hits::add);
      }
      String what = "seed %d: %s".formatted(seed, watch.query);
      assertThat(watch.ever).as(what).containsAll(texts(ranks(hits)));
      assertThat(rows(hits)).as(what).doesNotHaveDuplicates().containsAll(watch.always.keySet());
    }
  }
}
