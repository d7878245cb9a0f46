package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import io.deli.entry.EntryCodec;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Posting lists in memory, compared with entries {@code BY_TIME}, which have the same order. */
class PostingListReaderTest extends MemoryQueries {
  private static final int QUERIES = 2_000;

  private ValueQuery draw(int seed, String index) {
    random = new Random(seed);
    ValueQuery query = condition(index);
    query =
        switch (random.nextInt(4)) {
          case 0 -> query.and(condition());
          case 1 -> query.or(condition(index));
          case 2 -> query.versions(2 + random.nextInt(2));
          default -> query;
        };
    query = random.nextInt(3) == 0 ? query.reversed() : query;
    query = random.nextInt(4) == 0 ? query.rows(Bytes.toBytes("r1"), Bytes.toBytes("r5")) : query;
    return random.nextInt(4) == 0 ? query.asOf(BEGUN - random.nextInt(40)) : query;
  }

  @Test
  void hitsComeInTheOrderOfTime_inPagesOfAnySize() {
    for (int seed = 0; seed < QUERIES; seed++) {
      beginAtRest(seed, 60);
      tables.remove(table.base(), version -> random.nextInt(8) == 0);
      List<String> expected = texts(ranks(read(256, draw(seed, "time"), Integer.MAX_VALUE)));
      assertRead(seed, draw(seed, "lists"), expected);
    }
  }

  /** About as long as that of an entry can be. */
  @Test
  void theListOfALongTokenIsRead() {
    begin(0);
    String value = "v".repeat(EntryCodec.LONGEST_ROW - 16);
    write("r1", "p", value, BEGUN - 2);
    write("r2", "p", value, BEGUN - 1);
    write("r3", "p", value.substring(1), BEGUN - 1);
    ValueQuery query = ValueQuery.on("lists").equalTo(Bytes.toBytes(value));
    for (int limit : new int[] {1, Integer.MAX_VALUE}) {
      assertThat(texts(ranks(read(1, query, limit))))
          .containsExactly("r2@" + (BEGUN - 1), "r1@" + (BEGUN - 2));
      assertThat(texts(ranks(read(1, query.reversed(), limit))))
          .containsExactly("r1@" + (BEGUN - 2), "r2@" + (BEGUN - 1));
    }
  }
}
