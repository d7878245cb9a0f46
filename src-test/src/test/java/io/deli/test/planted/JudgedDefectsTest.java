package io.deli.test.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.lab.judge.QueryCondition;
import io.deli.lab.judge.RowQuery.Hit;
import io.deli.lab.judge.Ruling;
import io.deli.lab.torture.ContendedRows.Kind;
import io.deli.lab.torture.QuerySource;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.fault.Proxies;
import io.deli.test.torture.ContentionRun;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Threads;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Writers and readers that are wrong on purpose, on plain HBase, each of which the checkers of rows
 * and queries catch within a minute; and such as are right, whom they do not accuse.
 */
class JudgedDefectsTest {
  private static final Duration ROUND = Duration.ofMillis(700);
  private static final int TRIES = 20;
  private static final Duration MOST = Duration.ofMinutes(1);
  private static final int TENTH = 10;
  private static final String STUCK = "no order of its operations";

  private final long seed = Long.getLong("deli.seed", 20240506);
  @AutoClose private Table base;

  /** A table without indexes. */
  private static TableName plain(String stem) throws IOException {
    return TestTable.createAsOperator(
            MiniCluster.connection(), TestTable.describe(stem, ContentionRun.VERSIONS), List.of())
        .name();
  }

  private Table openBase() throws IOException {
    base = MiniCluster.connection().getTable(plain("judged"));
    return base;
  }

  private ContentionRun run(List<Kind> kinds) {
    return new ContentionRun(kinds, 2, seed);
  }

  private static void assertCaught(ContentionRun run, String what) throws Exception {
    assertThat(run.search(ROUND, MOST).violations()).anyMatch(found -> found.contains(what));
  }

  /** A condition that comes true after its Put was stamped, a Put that an Increment overtakes. */
  @Test
  void timestampsThatAreDrawnTooEarlyAreCaught() throws Exception {
    Table table = openBase();
    assertCaught(
        run(List.of(Kind.ANYTHING))
            .writing(DrawnTimestamps.of(table, System::currentTimeMillis, 4), 2)
            .writing(table, 2)
            .reading(table, new BruteForceQueries(table), 1),
        STUCK);
  }

  /** A Delete ahead of the server's time hides what comes after it. */
  @Test
  void aClockThatIsAheadIsCaught() throws Exception {
    Table table = openBase();
    assertCaught(
        run(List.of(Kind.ANYTHING))
            .writing(DrawnTimestamps.of(table, () -> System.currentTimeMillis() + 40, 0), 2)
            .reading(table, new BruteForceQueries(table), 1),
        STUCK);
  }

  @Test
  void aReaderThatWantsTheNewestEntryOfARowPutAgainIsCaught() throws Exception {
    assertReaderCaught(Kind.SAME_VALUE, "missed row");
  }

  @Test
  void aReaderOfTwoSidesOneAfterTheOtherIsCaught() throws Exception {
    assertReaderCaught(Kind.OTHER_SIDE, " or f:b");
  }

  @Test
  void aReaderOfARangeInWhichRowsMoveIsCaught() throws Exception {
    assertReaderCaught(Kind.MOVING, "missed row");
  }

  private void assertReaderCaught(Kind kind, String what) throws Exception {
    Table table = openBase();
    try (Table entries = MiniCluster.connection().getTable(plain("naive"))) {
      NaiveIndex index = new NaiveIndex(table, entries);
      assertCaught(run(List.of(kind)).writing(index.indexed(), 2).reading(table, index, 2), what);
    }
  }

  @Test
  void anIndexThatIsEmptiedUnderItsReadersIsCaught() throws Exception {
    Table table = openBase();
    TableName name = plain("emptied");
    try (Table entries = MiniCluster.connection().getTable(name);
        Admin admin = MiniCluster.connection().getAdmin()) {
      NaiveIndex index = new NaiveIndex(table, entries);
      ContentionRun run = run(List.of(Kind.SAME_VALUE));
      run.writing(index.indexed(), 1).round(ROUND);
      ContentionRun readers = run.reading(table, index, 2);
      // Its writer may have filled it again before anybody reads.
      for (int i = 0; i < TRIES && run.ruling().violations().isEmpty(); i++) {
        admin.disableTable(name);
        admin.truncateTable(name, false);
        readers.round(ROUND);
      }
      assertThat(run.ruling().violations()).anyMatch(found -> found.contains("missed row"));
    }
  }

  /** An exception that HBase never throws is no failure that a client is told of. */
  @Test
  void aReaderThatThrowsNowAndThenIsCaught() throws Exception {
    Table table = openBase();
    BruteForceQueries sound = new BruteForceQueries(table);
    AtomicInteger queries = new AtomicInteger();
    QuerySource broken =
        (condition, order, taken) -> {
          if (queries.incrementAndGet() % TENTH == 0) {
            throw new NullPointerException("planted");
          }
          sound.query(condition, order, taken);
        };
    ContentionRun run = run(List.of(Kind.ANYTHING)).writing(table, 1).reading(table, broken, 1);
    assertThatThrownBy(() -> run.search(ROUND, ROUND, 100))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("planted");
  }

  /** HBase itself, where no two writes share a millisecond, and a scan of all rows. */
  @Test
  void plainHBaseIsRight() throws Exception {
    Table table = openBase();
    ContentionRun run =
        run(List.of(Kind.values()))
            .writing(millisecondsApart(table), 4)
            .reading(table, new BruteForceQueries(table), 2);
    assertThat(run.search(ROUND, ROUND.multipliedBy(4), 100))
        .isEqualTo(new Ruling(List.of(), List.of()));
    assertThat(run.answered()).isGreaterThan(100);
  }

  /** To HBase alone, what happens to a row within a millisecond happens at once. */
  private static Table millisecondsApart(Table table) {
    return Proxies.of(
        Table.class,
        (proxy, called, arguments) -> {
          if (called.getName().equals("get")) {
            return Proxies.call(table, called, arguments);
          }
          synchronized (table) {
            Object answer = Proxies.call(table, called, arguments);
            Threads.sleep(2);
            return answer;
          }
        });
  }

  /** Scans the whole table: each row is seen at one moment. */
  private record BruteForceQueries(Table table) implements QuerySource {
    @Override
    public void query(QueryCondition condition, HitOrder order, Consumer<Hit> taken)
        throws IOException {
      try (ResultScanner scanner = table.getScanner(new Scan())) {
        for (Result row : scanner) {
          Map<String, Optional<String>> contents = NaiveIndex.contents(row);
          if (condition.accepts(contents, false)) {
            String column = condition.columns().iterator().next();
            String value = contents.get(column).orElse("");
            taken.accept(new Hit(Bytes.toString(row.getRow()), value, System.nanoTime()));
          }
        }
      }
    }
  }
}
