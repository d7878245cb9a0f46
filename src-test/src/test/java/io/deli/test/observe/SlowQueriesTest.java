package io.deli.test.observe;

import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.test.cluster.ClientTable;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log of slow queries. A hundred round trips take more than a millisecond anywhere. */
class SlowQueriesTest {
  private static final String SECRET = "a-value-of-more-than-thirty-two-bytes";
  private static final int ROWS = 50;

  private static TableName table;

  private final Lines lines = new Lines();

  /** What the logger says. */
  private static final class Lines extends AppenderSkeleton {
    private final List<LoggingEvent> events = new CopyOnWriteArrayList<>();

    @Override
    protected void append(LoggingEvent event) {
      events.add(event);
    }

    List<String> texts() {
      return events.stream()
          .map(LoggingEvent::getRenderedMessage)
          .filter(text -> text.contains("table " + table + ","))
          .toList();
    }

    @Override
    public void close() {}

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }

  @BeforeAll
  static void load() throws Exception {
    try (ClientTable slow =
        ClientTable.createIndexed(TestTable.describe("slow", 1), TestTable.byQ())) {
      table = slow.name();
      slow.client().put(put("stale", SECRET));
      slow.client().put(put("stale", "other"));
      slow.client().put(IntStream.range(0, ROWS).mapToObj(i -> put("r" + i, SECRET)).toList());
    }
  }

  @BeforeEach
  void listen() {
    Logger.getLogger("io.deli.client.SlowQueries").addAppender(lines);
  }

  @AfterEach
  void stop() {
    Logger.getLogger("io.deli.client.SlowQueries").removeAppender(lines);
  }

  private static Configuration slowFrom(long millis) {
    return MiniCluster.configuration(
        "deli.slow.query.ms", Long.toString(millis), "deli.read.page", "1");
  }

  private static void read(Configuration configuration, ValueQuery query) throws Exception {
    try (DeliConnection connection = MiniCluster.connect(configuration);
        DeliTable rows = connection.getTable(table);
        ValueScanner hits = rows.readValue(query)) {
      hits.forEach(hit -> {});
    }
  }

  private static ValueQuery secret() {
    return ValueQuery.on("by_q").equalTo(Bytes.toBytes(SECRET));
  }

  @Test
  void tellsOnceOfASlowQueryWithWhatItRead() throws Exception {
    read(slowFrom(1), secret());
    assertThat(lines.texts())
        .singleElement()
        .asString()
        .matches("[0-9]+ ms: .*")
        .contains(", by_q = " + SECRET.substring(0, 32) + "...; ")
        .contains("; index range of by_q (deferred); ")
        .contains(" multi-Gets of 51 rows, 51 entries, 1 stale, 50 hits");
    assertThat(lines.events).extracting(LoggingEvent::getLevel).contains(Level.WARN);
  }

  @Test
  void tellsWithoutMetricsToo() throws Exception {
    Configuration configuration = slowFrom(1);
    configuration.setBoolean("deli.client.metrics.enable", false);
    read(configuration, secret().reversed().limit(ROWS));
    assertThat(lines.texts())
        .singleElement()
        .asString()
        .contains("..., limit " + ROWS + ", reversed;", "50 hits");
  }

  @Test
  void keepsValuesFromTheLogOnDemand() throws Exception {
    Configuration configuration = slowFrom(1);
    configuration.setInt("deli.slow.query.value.bytes", 0);
    read(configuration, secret().or(ValueQuery.on("by_q").prefix(Bytes.toBytes("oth"))));
    assertThat(lines.texts())
        .singleElement()
        .asString()
        .contains(", (by_q = ... or by_q starts with ...); ")
        .doesNotContain("a-value", "oth");
  }

  @Test
  void saysNothingOfOthers() throws Exception {
    read(slowFrom(3_600_000), secret());
    read(slowFrom(0), secret());
    assertThat(lines.texts()).isEmpty();
  }
}
