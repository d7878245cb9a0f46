package io.deli.lab.campaign;

import io.deli.client.DeliAdmin;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.index.Maintenance;
import io.deli.lab.fault.Fault;
import io.deli.lab.fault.FaultProfile;
import io.deli.lab.fault.FaultTarget;
import io.deli.lab.fault.TableFaults;
import io.deli.lab.torture.ContendedRows;
import io.deli.lab.torture.TortureWorkload;
import io.deli.strategy.Index;
import io.deli.strategy.Strategies;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A combination that a campaign tortures.
 *
 * @param order of the entries of the first index; those of the second have the other
 * @param profile the faults
 * @param secured whether clients are ordinary users of an HBase that asks for permissions
 */
record Cell(
    String strategy, Maintenance maintenance, EntryOrder order, Profile profile, boolean secured) {
  static final int VERSIONS = 3;

  static final int CLIENTS = 3;

  /** Rows of each kind. */
  static final int HOT = 2;

  /** Rows besides. */
  static final int WIDE = 40_000;

  /** Of all rows. */
  static final int PLACES = HOT * ContendedRows.Kind.values().length + WIDE;

  /** Of read repair. */
  static final long GRACE_MILLIS = 20_000;

  /** Whom a client is, if users need permissions. */
  static final String USER = "campaign_client";

  private static final int REGIONS = 4;
  private static final int BLOCK_BYTES = 4 << 10;

  /** The faults of a cell. Those of tables happen in each, beside the others. */
  enum Profile {
    TABLES,
    PROCESSES(FaultProfile.KILLS, FaultProfile.STOPS),
    MACHINES(FaultProfile.NETWORK, FaultProfile.DISK, FaultProfile.CLOCKS),
    OPERATIONS(FaultProfile.SCHEMA, FaultProfile.DEFINITIONS, FaultProfile.OPERATIONS);

    @SuppressWarnings("ImmutableEnumChecker") // it is
    private final List<FaultProfile> parts;

    Profile(FaultProfile... parts) {
      this.parts = List.of(parts);
    }

    List<Fault> faults(FaultTarget target) {
      return parts.stream().flatMap(part -> part.faults(target).stream()).toList();
    }

    /** Says what it cannot do on this machine or to this target, a line for each. */
    List<String> skipped(FaultTarget target) {
      return parts.stream().flatMap(part -> part.skipped(target).stream()).toList();
    }

    /** Whether it has no faults of its own, or some are among those that have befallen. */
    boolean isMetBy(Set<String> befallen) {
      return parts.isEmpty() || !TableFaults.names().containsAll(befallen);
    }

    /** Between two faults of tables: longer where they are not the only ones, which take longer. */
    Duration intervalOfTables() {
      return Duration.ofSeconds(this == TABLES ? 1 : 4);
    }

    static Map<String, String> settings() {
      Map<String, String> settings = new TreeMap<>();
      for (Profile profile : values()) {
        profile.parts.forEach(part -> settings.putAll(part.settings()));
      }
      return settings;
    }
  }

  /** All combinations that there can be; each strategy and maintenance meets both orders. */
  static List<Cell> all() {
    List<Cell> cells = new ArrayList<>();
    for (Profile profile : Profile.values()) {
      for (String strategy : Strategies.names()) {
        for (Maintenance maintenance : Maintenance.values()) {
          EntryOrder order = cells.size() % 2 == 0 ? EntryOrder.BY_KEY : EntryOrder.BY_TIME;
          Cell cell = new Cell(strategy, maintenance, order, profile, false);
          if (cell.isPossible()) {
            cells.add(cell);
          }
        }
      }
    }
    for (Maintenance maintenance : Maintenance.values()) {
      cells.add(
          new Cell(
              IndexDefinition.DEFAULT_STRATEGY,
              maintenance,
              EntryOrder.BY_KEY,
              Profile.PROCESSES,
              true));
    }
    return cells;
  }

  private boolean isPossible() {
    try {
      definitions().forEach(each -> Index.of(TableName.valueOf("any"), each));
      return true;
    } catch (InvalidIndexException e) {
      return false;
    }
  }

  List<IndexDefinition> definitions() {
    EntryOrder other = order == EntryOrder.BY_KEY ? EntryOrder.BY_TIME : EntryOrder.BY_KEY;
    return TortureWorkload.contended(strategy, maintenance, order, other);
  }

  /** Whether the hits of one value of the first index come by row key. */
  boolean ordersByKey() {
    return order == EntryOrder.BY_KEY && Strategies.named(strategy).ordersEntries();
  }

  String name() {
    return "%s-%s-%s-%s%s"
        .formatted(
            strategy,
            maintenance.name().toLowerCase(Locale.ROOT),
            order.name().toLowerCase(Locale.ROOT),
            profile.name().toLowerCase(Locale.ROOT),
            secured ? "-secured" : "");
  }

  void create(Connection connection, TableName name) throws IOException {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = Bytes.toBytes(ContendedRows.key(PLACES * i / REGIONS));
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TortureWorkload.judged(name, GRACE_MILLIS)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(ContendedRows.A.family())
                      .setMaxVersions(VERSIONS)
                      // Gets by the dozen in many small files are what costs the most.
                      .setBlocksize(BLOCK_BYTES)
                      .build())
              .build(),
          splits);
    }
    if (secured) {
      // Before there are indexes, whose tables get the same.
      Permission permission =
          Permission.newBuilder(name)
              .withActions(Permission.Action.READ, Permission.Action.WRITE, Permission.Action.EXEC)
              .build();
      try (Admin admin = connection.getAdmin()) {
        admin.grant(new UserPermission(USER, permission), false);
      }
    }
    DeliAdmin deli = DeliAdmin.of(connection);
    for (IndexDefinition definition : definitions()) {
      deli.createIndex(name, definition);
    }
  }
}
