package io.deli.lab.torture;

import io.deli.client.DeliAdmin;
import io.deli.config.DeliSettings;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.strategy.Index;
import io.deli.strategy.QueryKind;
import io.deli.strategy.Strategies;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The table under torture, and the writes and reads of its clients: few rows and few values, so
 * that they get in each other's way.
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
  public static final String BY_KEY = "by_v";
  public static final String BY_TIME = "by_time";
  private static final int PAGE = 4;

  /** Regions of the rows that are not contended for. */
  private static final int PARTS = 7;

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

  /** Creates the table under torture, with an index of each order. */
  void create(Connection connection, TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          judged(name, graceMillis)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(COLUMN.family())
                      .setMaxVersions(VERSIONS)
                      .build())
              .setColumnFamily(Writer.numbers())
              .build(),
          splits());
    }
    DeliAdmin deli = DeliAdmin.of(connection);
    for (IndexDefinition definition : indexes()) {
      deli.createIndex(name, definition);
    }
  }

  /** Of so many regions that neighbours are left to be merged after half of them were moved. */
  private byte[][] splits() {
    return Stream.concat(
            IntStream.range(1, ContendedRows.Kind.values().length)
                .mapToObj(kind -> ContendedRows.key(kind * contention.rows())),
            IntStream.range(0, PARTS).mapToObj(part -> row(rows * part / PARTS)))
        .distinct()
        .map(Bytes::toBytes)
        .toArray(byte[][]::new);
  }

  private List<IndexDefinition> indexes() {
    List<IndexDefinition> indexes = new ArrayList<>();
    indexes.add(index(BY_KEY, COLUMN));
    indexes.add(index(BY_TIME, COLUMN).withOrder(EntryOrder.BY_TIME));
    if (contention.rows() > 0) {
      indexes.addAll(contended());
      if (maintenance == Maintenance.SERVER) {
        // Nobody asks it: the audit compares it with what was counted.
        indexes.add(index("counted", ContendedRows.N));
      }
    }
    if (maintenance == Maintenance.SERVER || !Strategies.named(strategy).keepsTable()) {
      // So that clients draw the timestamps, by which the history knows their writes.
      indexes.add(IndexDefinition.on("unused", Column.parse("f:unused")));
    }
    return indexes;
  }

  private IndexDefinition index(String name, Column column) {
    return IndexDefinition.on(name, column).withStrategy(strategy).withMaintenance(maintenance);
  }

  /** The indexes of its {@link ContendedRows}. */
  public List<IndexDefinition> contended() {
    return contended(strategy, maintenance, EntryOrder.BY_KEY, EntryOrder.BY_KEY);
  }

  /** Begins a table in which what a delete hides does not depend on compactions. */
  public static TableDescriptorBuilder judged(TableName name, long graceMillis) {
    return TableDescriptorBuilder.newBuilder(name)
        .setValue(
            "hbase.hstore.time.to.purge.deletes", Long.toString(Duration.ofDays(1).toMillis()))
        .setValue(DeliSettings.REPAIR_GRACE.key(), Long.toString(graceMillis));
  }

  /** The indexes of {@link ContendedRows}, in these orders. */
  public static List<IndexDefinition> contended(
      String strategy, Maintenance maintenance, EntryOrder ofA, EntryOrder ofB) {
    return Stream.of(
            IndexDefinition.on(ContendedRows.BY_A, ContendedRows.A).withOrder(ofA),
            IndexDefinition.on(ContendedRows.BY_B, ContendedRows.B).withOrder(ofB))
        .map(each -> each.withStrategy(strategy).withMaintenance(maintenance))
        .toList();
  }

  /**
   * Drops a table and its index tables. Not index by index: HBase waits for minutes for a table
   * whose descriptor was changed while regions that were merged are still known.
   */
  public static void drop(Connection connection, TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      List<TableName> all = new ArrayList<>(List.of(name));
      Index.allOf(admin.getDescriptor(name)).stream()
          .filter(index -> index.strategy().keepsTable())
          .forEach(index -> all.add(index.table()));
      for (TableName each : all) {
        admin.disableTable(each);
        admin.deleteTable(each);
      }
    }
  }

  long aheadMillis(int client) {
    return skewMillis / 2 - skewMillis * client / (CLIENTS - 1);
  }

  boolean ordersByKey() {
    return Strategies.named(strategy).ordersEntries();
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
