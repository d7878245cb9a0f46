package io.deli.simulation;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.coprocessor.internal.send.TableDeleteSender;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** A base table with an index on each of two columns, on one server or each table on its own. */
final class Deployment {
  static final TableName BASE = TableName.valueOf("t");

  /** For a strategy: the default one, of the newest versions only. */
  static final String NEWEST = "newest";

  static final long GRACE_MILLIS = 2_000;

  /** By which queries look back. */
  static final long MARGIN_MILLIS = 5_000;

  static final long OPERATION_TIMEOUT_MILLIS = 1_500;

  private static final Map<String, Tables> TABLES = new ConcurrentHashMap<>();

  private final World world;
  private final ModelCluster cluster;
  private final Supplier<LogStructuredStore> stores;
  private final IndexKind kind;
  private final Tables tables;
  private final List<ObservedRegion> regions = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private final Audit audit;

  /**
   * @param stores of each table's cells
   * @param colocated whether one server has all tables
   */
  Deployment(
      ModelCluster cluster,
      Supplier<LogStructuredStore> stores,
      String strategy,
      IndexKind kind,
      int versions,
      boolean colocated) {
    world = cluster.world();
    this.stores = stores;
    this.cluster = cluster;
    this.kind = kind;
    tables =
        TABLES.computeIfAbsent(
            strategy + kind + versions, key -> Tables.of(strategy, kind, versions));
    audit = new Audit(cluster, tables.indexes());
    World.Node shared = new World.Node("server", 0);
    for (Table table : tables.all()) {
      add(table, colocated ? shared : new World.Node(table.server(), 0));
    }
  }

  /** A table, and the server that has its region. */
  private record Table(TableDescriptor descriptor, TableIndexes indexes, String server) {
    static Table of(TableDescriptor descriptor, String server) {
      return new Table(descriptor, ObservedRegion.indexes(descriptor), server);
    }
  }

  /** The tables of a strategy, the base table first; they are the same in all histories. */
  private record Tables(List<Index> indexes, List<Table> all) {
    static Tables of(String strategy, IndexKind kind, int versions) {
      TableDescriptorBuilder builder =
          TableDescriptorBuilder.newBuilder(BASE)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(Worker.FAMILY)
                      .setMaxVersions(versions)
                      .build());
      for (String column : List.of(Worker.A, Worker.B)) {
        IndexDefinitions.put(builder, with(strategy, kind.definition(column)));
      }
      TableDescriptor base = builder.build();
      List<Table> all = new ArrayList<>(List.of(Table.of(base, "server 1")));
      List<Index> indexes = Index.allOf(base);
      for (Index index : indexes) {
        all.add(
            Table.of(IndexTables.descriptor(base, index.definition()), "server " + index.name()));
      }
      return new Tables(indexes, all);
    }
  }

  private static IndexDefinition with(String strategy, IndexDefinition definition) {
    return strategy.equals(NEWEST)
        ? definition.withOption(IndexDefinition.VERSIONS, "1")
        : definition.withStrategy(strategy);
  }

  private void add(Table table, World.Node server) {
    ModelRegion region = new ModelRegion(table.descriptor(), world, server, stores.get());
    cluster.add(region);
    regions.add(open(region, table.indexes()));
  }

  private ObservedRegion open(ModelRegion region, TableIndexes indexes) {
    AsyncConnection connection =
        ModelConnection.open(cluster, region.server(), CONFIGURATION, OPERATION_TIMEOUT_MILLIS);
    IndexDelete.Sender sender =
        new TableDeleteSender(
            () -> CompletableFuture.completedFuture(connection), ObservedRegion.METRICS);
    return new ObservedRegion(
        region,
        indexes,
        world,
        graceMillis(),
        sender,
        (from, to) -> {
          if (region == regions.get(0).region()) {
            violations.addAll(audit.leftBehind(from, to));
          }
        });
  }

  /** The base region first. */
  List<ObservedRegion> regions() {
    return regions;
  }

  IndexKind kind() {
    return kind;
  }

  Audit audit() {
    return audit;
  }

  /** What compactions dropped and should not have. */
  List<String> violations() {
    return violations;
  }

  /** The failures that clients were told of. */
  List<Throwable> failures() {
    return failures;
  }

  /** Ends the server of a region, whose regions open again after a while. */
  void crash(int place, long millis) {
    World.Node server = regions.get(place).region().server();
    world.tell(server, () -> "crashes");
    server.crash();
    for (int i = 0; i < regions.size(); i++) {
      ModelRegion region = regions.get(i).region();
      if (region.server() == server) {
        region.crash();
        int own = i;
        world.afterMillis(millis, server, () -> reopen(region, own));
      }
    }
  }

  private void reopen(ModelRegion region, int place) {
    world.tell(region.server(), () -> "starts, and opens " + region);
    regions.set(place, open(region, tables.all().get(place).indexes()));
  }

  private static final Configuration CONFIGURATION = configuration(GRACE_MILLIS);

  /** What all clients are set to. */
  Configuration configuration() {
    if (world.has(Defect.NO_GRACE) || world.has(Defect.SHORT_GRACE)) {
      return configuration(graceMillis());
    }
    Optional<Map.Entry<String, Long>> wrong =
        WRONG.entrySet().stream()
            .filter(each -> world.has(each.getKey()))
            .map(Map.Entry::getValue)
            .findFirst();
    if (wrong.isEmpty()) {
      return CONFIGURATION;
    }
    Configuration configuration = new Configuration(CONFIGURATION);
    configuration.setLong(wrong.get().getKey(), wrong.get().getValue());
    return configuration;
  }

  private static final Map<Defect, Map.Entry<String, Long>> WRONG =
      Map.of(
          Defect.RETRIES_UNCOUNTED, Map.entry(HConstants.HBASE_CLIENT_PAUSE, 60_000L),
          Defect.NO_MARGIN_FOR_CLOCKS, Map.entry(DeliSettings.READ_SKEW.key(), 0L),
          Defect.NO_ROW_MEMORY, Map.entry(DeliSettings.READ_MEMORY.key(), 0L));

  private long graceMillis() {
    return world.has(Defect.NO_GRACE)
        ? 0
        : world.has(Defect.SHORT_GRACE) ? GRACE_MILLIS / 4 : GRACE_MILLIS;
  }

  private static Configuration configuration(long graceMillis) {
    Configuration configuration = new Configuration(false);
    configuration.setLong(DeliSettings.REPAIR_GRACE.key(), graceMillis);
    configuration.setLong(DeliSettings.DEFINITIONS_LEASE.key(), 1_000);
    configuration.setLong(DeliSettings.READ_PAGE.key(), 1);
    configuration.setLong(DeliSettings.READ_SKEW.key(), MARGIN_MILLIS);
    configuration.setLong(DeliSettings.SLOW_QUERY.key(), 0);
    configuration.setBoolean(DeliSettings.CLIENT_METRICS.key(), false);
    configuration.setLong(HConstants.HBASE_CLIENT_PAUSE, Courier.PAUSE_MILLIS);
    configuration.setLong(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, OPERATION_TIMEOUT_MILLIS);
    return configuration;
  }

  void flushAll() throws IOException {
    for (ObservedRegion region : regions) {
      region.flush();
    }
  }
}
