package io.deli.test.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.lab.torture.Audit;
import io.deli.strategy.QueryKind;
import io.deli.strategy.Strategies;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.fault.Fault;
import io.deli.test.fault.Faults;
import io.deli.test.fault.FaultyConnection;
import io.deli.test.write.OneFault.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every kind of write, with every fault in each of its requests, as a whole and in each of its
 * operations: a crash of the client, of a server or of the network between any two steps. After
 * each, a row is as before or as written, by key and by value alike; and as written, if the client
 * was told so.
 */
@ParameterizedClass
@ValueSource(strings = {"deferred", "in-place"})
class FaultTableTest {
  /** That the table keeps. */
  static final int VERSIONS = 2;

  private static final String BY_KEY = "by_q";
  private static final String BY_TIME = "by_time";

  /** HBase's client sends a request again after so long. */
  private static final int PAUSE_MILLIS = 50;

  private static int indexedVersions;
  private static TestTable written;
  private static DeliConnection sound;
  private static FaultyConnection faulty;
  private static long time;
  private static int attempts;

  @Parameter private String strategy;

  /** The outcome of a write. */
  private enum Outcome {
    ACKNOWLEDGED,
    /** Not acknowledged, and the row is as before. */
    ABSENT,
    /** Not acknowledged, but the row is as written. */
    APPLIED
  }

  @BeforeParameterizedClassInvocation
  static void open(String strategy) throws IOException {
    indexedVersions =
        Strategies.named(strategy).unanswerable().contains(QueryKind.OLD_VERSIONS) ? 1 : VERSIONS;
    written =
        TestTable.create(
            "fault_table",
            VERSIONS,
            List.of(
                IndexDefinition.on(BY_KEY, TestTable.COLUMN).withStrategy(strategy),
                IndexDefinition.on(BY_TIME, TestTable.COLUMN)
                    .withStrategy(strategy)
                    .withOrder(EntryOrder.BY_TIME)),
            Bytes.toBytes("m"));
    Configuration configuration = MiniCluster.configuration();
    configuration.setInt(HConstants.HBASE_CLIENT_PAUSE, PAUSE_MILLIS);
    faulty = FaultyConnection.open(configuration);
    sound = MiniCluster.connect();
    time = System.currentTimeMillis() - 1_000_000;
  }

  @AfterParameterizedClassInvocation
  static void close() throws IOException {
    faulty.close();
    sound.close();
  }

  @ParameterizedTest
  @EnumSource
  void isWhollyThereOrNotAtAll(WriteKind kind) throws Exception {
    run(kind, Faults.NONE, "to get acquainted");
    Requests requests = new Requests();
    assertThat(run(kind, requests, "without a fault")).isEqualTo(Outcome.ACKNOWLEDGED);
    for (Place place : requests.places()) {
      for (Fault fault : Fault.honest()) {
        OneFault one = new OneFault(place, fault);
        run(kind, one, "%s, %s, %s at %s".formatted(strategy, kind, fault, place));
        // Entries are taken back only as long as no request can have been repeated.
        assertThat(one.hasStruck() || kind == WriteKind.CHECK_THAT_FAILS).isTrue();
      }
    }
    assertThat(Audit.of(MiniCluster.connection(), written.name()).missing()).isEmpty();
  }

  private static Outcome run(WriteKind kind, Faults faults, String what) throws Exception {
    time += 10;
    Attempt attempt = new Attempt(kind, attempts++, time, faulty, written);
    try (DeliTable table = sound.getTable(written.name())) {
      attempt.prepare(table);
      faulty.suffering(faults);
      Set<String> acknowledged;
      try {
        acknowledged = attempt.run();
      } finally {
        faulty.suffering(Faults.NONE);
      }
      return judge(attempt, table, acknowledged, what);
    }
  }

  private static Outcome judge(
      Attempt attempt, DeliTable table, Set<String> acknowledged, String what) throws IOException {
    Set<String> byKey = new TreeSet<>();
    Set<Outcome> outcomes = new HashSet<>();
    List<String> rows = attempt.rows();
    Result[] results = table.get(rows.stream().map(FaultTableTest::get).toList());
    for (int i = 0; i < rows.size(); i++) {
      List<String> seen = new ArrayList<>();
      for (Cell cell : results[i].rawCells()) {
        String value = Bytes.toString(CellUtil.cloneValue(cell));
        seen.add(value);
        if (seen.size() <= indexedVersions) {
          byKey.add(version(rows.get(i), value, cell.getTimestamp()));
        }
      }
      outcomes.add(outcome(attempt, i, seen, acknowledged.contains(rows.get(i)), what));
    }
    for (String index : List.of(BY_KEY, BY_TIME)) {
      assertThat(byValue(attempt, table, index)).as(what + ": " + index).isEqualTo(byKey);
    }
    outcomes.remove(Outcome.ACKNOWLEDGED);
    assertThat(outcomes).as(what + ": of what was struck").hasSizeLessThan(2);
    return outcomes.stream().findAny().orElse(Outcome.ACKNOWLEDGED);
  }

  private static Get get(String row) {
    try {
      return new Get(Bytes.toBytes(row)).readVersions(VERSIONS);
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Outcome outcome(
      Attempt attempt, int row, List<String> seen, boolean acknowledged, String what) {
    List<String> before = attempt.kind().before().stream().map(attempt::value).toList();
    List<String> after = attempt.kind().after(row).stream().map(attempt::value).toList();
    if (acknowledged) {
      assertThat(seen).as(what + ": acknowledged").isEqualTo(after);
      return Outcome.ACKNOWLEDGED;
    }
    assertThat(seen).as(what + ": failed").isIn(before, after);
    return seen.equals(before) ? Outcome.ABSENT : Outcome.APPLIED;
  }

  private static Set<String> byValue(Attempt attempt, DeliTable table, String index)
      throws IOException {
    Set<String> found = new TreeSet<>();
    for (String value : attempt.values()) {
      ValueQuery query =
          ValueQuery.on(index).equalTo(Bytes.toBytes(value)).versions(indexedVersions);
      try (ValueScanner hits = table.readValue(query)) {
        for (ValueHit hit : hits) {
          found.add(
              version(Bytes.toString(hit.row()), Bytes.toString(hit.value()), hit.timestamp()));
        }
      }
    }
    return found;
  }

  private static String version(String row, String value, long timestamp) {
    return "%s = %s @%d".formatted(row, value, timestamp);
  }
}
