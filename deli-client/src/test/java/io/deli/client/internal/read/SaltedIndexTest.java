package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Salted indexes in memory, compared with the same without salt. */
class SaltedIndexTest extends MemoryQueries {
  private static final int QUERIES = 1_000;
  private static final int ROWS = 400;
  private static final int PAGE = 40;

  private ValueQuery draw(long seed, String suffix) {
    random = new Random(seed);
    ValueQuery query = condition((random.nextBoolean() ? "key" : "other") + suffix);
    query = random.nextInt(3) == 0 ? query.and(condition()) : query;
    query = random.nextInt(3) == 0 ? query.or(condition()) : query;
    query = random.nextInt(3) == 0 ? query.reversed() : query;
    return random.nextInt(4) == 0 ? query.asOf(BEGUN - random.nextInt(40)) : query;
  }

  @Test
  void hitsComeInTheSameOrder_inPagesOfAnySize() {
    for (int seed = 0; seed < QUERIES; seed++) {
      beginAtRest(seed, 60);
      List<String> expected = texts(ranks(read(256, draw(seed, ""), Integer.MAX_VALUE)));
      assertRead(seed, draw(seed, SALTED), expected);
    }
  }

  /** A share is rarely too small, and what is more than a page needs is kept for the next. */
  @Test
  void eachPageAsksEachBucketOnce() {
    begin(0);
    for (int i = 0; i < ROWS; i++) {
      write("r%03d".formatted(i), "p", "a", BEGUN - 2 * ROWS + i);
    }
    ValueQuery all = ValueQuery.on("key" + SALTED).equalTo(Plans.A);
    assertThat(read(PAGE, all, Integer.MAX_VALUE)).hasSize(ROWS);
    assertThat(tables.scans()).isBetween(2 * ROWS / PAGE, 3 * (ROWS / PAGE + 1));
    int before = tables.scans();
    assertThat(read(PAGE, all.limit(2), Integer.MAX_VALUE)).hasSize(2);
    assertThat(tables.scans() - before).isEqualTo(3);
  }
}
