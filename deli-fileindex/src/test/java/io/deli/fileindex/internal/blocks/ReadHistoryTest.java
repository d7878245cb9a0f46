package io.deli.fileindex.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.fileindex.internal.blocks.ReadHistory.Query;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ReadHistoryTest {
  private static final byte[] ANY = {};
  private static final Blocks BLOCKS =
      new Blocks(List.of(new Blocks.Part(row(0), 500), new Blocks.Part(row(500), 500)));

  private static byte[] row(int number) {
    return Bytes.toBytes("row%06d".formatted(number));
  }

  /** Every other row of the file; at most a thousand if they are added in order. */
  private static Matches list(int rows, boolean inOrder) {
    RowList.Builder builder = new RowList.Builder(BLOCKS, inOrder);
    for (int row = 0; row < rows; row += 2) {
      builder.add(row(row), 5);
    }
    return builder.build();
  }

  private static Query query(TokenRange tokens, TimeRange times, byte[] start, byte[] end) {
    Index index = Index.of(TableName.valueOf("t"), IndexDefinition.on("i", Column.parse("f:q")));
    return Query.of(null, new Wanted(index, tokens, times, start, end, true));
  }

  @Test
  void aQueryIsThatOfAllItsPages_andOfNoOther() {
    TokenRange tokens = TokenRange.startingWith(row(7));
    Query query = query(tokens, TimeRange.allTime(), ANY, row(9));
    assertThat(query(TokenRange.startingWith(row(7)), TimeRange.allTime(), row(3), row(9)))
        .isEqualTo(query)
        .hasSameHashCodeAs(query);
    assertThat(query(TokenRange.only(row(7)), TimeRange.allTime(), ANY, row(9)))
        .isNotEqualTo(query);
    assertThat(query(tokens, TimeRange.from(1), ANY, row(9))).isNotEqualTo(query);
    assertThat(query(tokens, TimeRange.allTime(), ANY, row(8))).isNotEqualTo(query);
  }

  @Test
  void listsServeThePagesBehindTheirStart_asFarAsTheyGo() {
    Map<Path, Matches> lists =
        Map.of(new Path("some"), list(4_000, true), new Path("all"), list(4_000, false));
    ReadHistory history = new ReadHistory(row(1), lists);
    assertThat(history.behind(row(0))).isEmpty();
    assertThat(history.behind(row(1))).as("the first page, again").isEmpty();
    assertThat(history.behind(row(2))).containsOnlyKeys(new Path("some"), new Path("all"));
    assertThat(history.behind(row(1_999))).containsOnlyKeys(new Path("some"), new Path("all"));
    assertThat(history.behind(row(2_000))).containsOnlyKeys(new Path("all"));
  }

  @Test
  void whatIsFoundSoon_isNotKept() {
    assertThat(
            ReadHistory.isLong(
                Map.of(new Path("a"), list(256, false), new Path("b"), list(254, false))))
        .isFalse();
    assertThat(
            ReadHistory.isLong(
                Map.of(new Path("a"), list(256, false), new Path("b"), list(256, false))))
        .isTrue();
    ReadHistory history = new ReadHistory(ANY, Map.of(new Path("a"), list(256, false)));
    assertThat(history.weight()).isBetween(128L * row(0).length, 128L * 200);
  }

  /** A reader may ask for values of any length. */
  @Test
  void whatWasAskedForTakesRoomInTheCache() {
    int length = 100_000;
    int room = 1_000_000;
    IndexCache cache = new IndexCache(room);
    ReadHistory history = new ReadHistory(ANY, Map.of(new Path("a"), list(600, false)));
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      TokenRange tokens = TokenRange.of(Bytes.add(row(i), new byte[length]), Optional.empty());
      Query query = query(tokens, TimeRange.allTime(), ANY, ANY);
      cache.keep(query, history);
      assertThat(cache.history(query)).containsSame(history);
      queries.add(query);
    }
    long kept = queries.stream().filter(query -> cache.history(query).isPresent()).count();
    assertThat(kept * length).isBetween(room / 2L, (long) room);
  }

  /** A block amid which a page begins has been counted by the page before. */
  @Test
  void aBlockIsCountedOnceForAllPages() {
    Matches list = list(1_000, false);
    long[] counts = {read(list, row(0), row(200)), read(list, row(201), row(998))};
    assertThat(counts).containsExactly(1, 1);
    assertThat(read(list, row(0), row(998))).isEqualTo(2);
  }

  private static long read(Matches list, byte[] from, byte[] to) {
    CountingHost host = new CountingHost(new Configuration(false));
    FileCursor cursor = list.cursor(null, new SearchCount(new SearchMetrics(host)));
    cursor.seek(from);
    while (!Rows.before(to, cursor.known()) && cursor.known().length > 0) {
      visit(cursor, to);
      cursor.seek(cursor.known());
    }
    visit(cursor, to);
    return host.count("lookupBlocksRead");
  }

  private static void visit(FileCursor cursor, byte[] to) {
    cursor.rows().headSet(to, true).forEach(cursor::visit);
  }
}
