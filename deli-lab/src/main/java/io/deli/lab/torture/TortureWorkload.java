package io.deli.lab.torture;

import io.deli.config.DeliSettings;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.strategy.QueryKind;
import io.deli.strategy.Strategies;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;

/**
 * The writes and reads of clients: few rows and few values, so that they get in each other's way.
 *
 * @param skewMillis between the clocks of the first and the last client: one runs ahead by half of
 *     it, the other behind
 * @param pauseMillis between two calls of a thread
 * @param graceMillis of read repair
 * @param contention for other rows
 */
public record TortureWorkload(
    int rows,
    long skewMillis,
    long pauseMillis,
    long graceMillis,
    String strategy,
    Maintenance maintenance,
    Contention contention) {
  /** That the table keeps of a row. */
  static final int VERSIONS = 3;

  static final int CLIENTS = 3;

  /** Threads of each client. */
  static final int WRITERS = 3;

  static final int READERS = 2;

  /** Also none, and such as begin with each other or have bytes that entries use as ends. */
  static final List<String> VALUES = List.of("", "v", "v1", "v10", "v1\0", "\u00ff", "w", "zz");

  public static final Column COLUMN = Column.parse("f:v");
  static final Column UNUSED = Column.parse("f:unused");
  public static final String BY_KEY = "by_v";
  public static final String BY_TIME = "by_time";
  private static final int PAGE = 4;

  /** For less than a minute: without pauses. */
  public static TortureWorkload brief(
      Duration grace, String strategy, Maintenance maintenance, Contention contention) {
    return new TortureWorkload(16, 5_000, 0, grace.toMillis(), strategy, maintenance, contention);
  }

  public void configure(Configuration configuration) {
    configuration.setLong(DeliSettings.REPAIR_GRACE.key(), graceMillis);
    if (contention.rows() > 0) {
      // So that a query of few rows takes several, with the reader's pauses between them.
      configuration.setInt(DeliSettings.READ_PAGE.key(), PAGE);
    }
  }

  IndexDefinition index(String name, Column column) {
    return IndexDefinition.on(name, column).withStrategy(strategy).withMaintenance(maintenance);
  }

  long aheadMillis(int client) {
    return skewMillis / 2 - skewMillis * client / (CLIENTS - 1);
  }

  boolean ordersByKey() {
    return Strategies.named(strategy).ordersEntries();
  }

  /** So that clients draw the timestamps, by which the history knows their writes. */
  boolean needsAnotherIndex() {
    return maintenance == Maintenance.SERVER || !Strategies.named(strategy).keepsTable();
  }

  int indexedVersions() {
    return Strategies.named(strategy).unanswerable().contains(QueryKind.OLD_VERSIONS)
        ? 1
        : VERSIONS;
  }

  List<String> rowNames() {
    return IntStream.range(0, rows).mapToObj(TortureWorkload::row).toList();
  }

  static String row(int number) {
    return "row%03d".formatted(number);
  }

  static String value(Random random) {
    return VALUES.get(random.nextInt(VALUES.size()));
  }

  /**
   * The contention of clients for a few rows besides, all threads for all of them.
   *
   * @param rows of each {@linkplain ContendedRows.Kind kind}; 0 for no contention
   * @param lossy whether answers may be lost, so that HBase's client may send a request twice
   */
  public record Contention(int rows, long pauseMillis, boolean lossy) {
    public static final Contention NONE = new Contention(0, 0, false);
    public static final Contention SOME = new Contention(2, 1, false);

    /** Of each client, that write, and as many that read. */
    int threads() {
      return rows == 0 ? 0 : 2;
    }
  }
}
