package io.deli.tools.torture;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.strategy.QueryKind;
import io.deli.strategy.Strategies;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What clients write and read: few rows and few values, so that they get in each other's way.
 *
 * @param rows as many
 * @param versions that the table keeps of a row
 * @param clients connections
 * @param writers threads of each client
 * @param readers threads of each client
 * @param aheadMillis by which the clock of one client runs ahead
 * @param pauseMillis between two calls of a thread
 * @param graceMillis of read repair
 * @param strategy of the indexes
 * @param maintenance of the indexes
 */
public record Workload(
    int rows,
    int versions,
    int clients,
    int writers,
    int readers,
    long aheadMillis,
    long pauseMillis,
    long graceMillis,
    String strategy,
    Maintenance maintenance) {
  /** Also none, and such as begin with each other or have bytes that entries use as ends. */
  static final List<String> VALUES = List.of("", "v", "v1", "v10", "v1\0", "\u00ff", "w", "zz");

  public static final Column COLUMN = Column.parse("f:v");
  static final Column UNUSED = Column.parse("f:unused");
  public static final String BY_KEY = "by_v";
  public static final String BY_TIME = "by_time";

  /** A few seconds of it show much. */
  public static final Workload SHORT =
      new Workload(
          16, 3, 3, 3, 2, 1_500, 0, 10_000, IndexDefinition.DEFAULT_STRATEGY, Maintenance.CLIENT);

  /** For minutes and more: so few calls that the history fits into memory. */
  public static final Workload LONG =
      new Workload(
          32, 3, 3, 3, 2, 1_500, 10, 60_000, IndexDefinition.DEFAULT_STRATEGY, Maintenance.CLIENT);

  /** The same with another grace period of read repair. */
  public Workload withGrace(Duration grace) {
    return new Workload(
        rows,
        versions,
        clients,
        writers,
        readers,
        aheadMillis,
        pauseMillis,
        grace.toMillis(),
        strategy,
        maintenance);
  }

  /** The same on indexes of another strategy. */
  public Workload by(String another) {
    return new Workload(
        rows,
        versions,
        clients,
        writers,
        readers,
        aheadMillis,
        pauseMillis,
        graceMillis,
        another,
        maintenance);
  }

  /** The same on indexes that others maintain. */
  public Workload maintainedBy(Maintenance another) {
    return new Workload(
        rows,
        versions,
        clients,
        writers,
        readers,
        aheadMillis,
        pauseMillis,
        graceMillis,
        strategy,
        another);
  }

  /** So that clients draw the timestamps, by which the history knows their writes. */
  boolean needsAnotherIndex() {
    return maintenance == Maintenance.SERVER || !Strategies.named(strategy).keepsTable();
  }

  /** How many versions of a row its indexes know. */
  int indexedVersions() {
    return Strategies.named(strategy).unanswerable().contains(QueryKind.OLD_VERSIONS)
        ? 1
        : versions;
  }

  List<String> rowNames() {
    return IntStream.range(0, rows).mapToObj(Workload::row).toList();
  }

  static String row(int number) {
    return "row%03d".formatted(number);
  }

  static String value(Random random) {
    return VALUES.get(random.nextInt(VALUES.size()));
  }
}
