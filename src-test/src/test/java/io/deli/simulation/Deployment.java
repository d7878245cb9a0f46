package io.deli.simulation;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.send.DeleteSender;
import io.deli.coprocessor.internal.send.TableDeleteSender;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexDefinitions;
import io.deli.index.IndexTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** A base table with an index on each of two columns, each table on a server of its own. */
final class Deployment {
  static final TableName BASE = TableName.valueOf("t");
  static final long GRACE_MILLIS = 2_000;
  static final long OPERATION_TIMEOUT_MILLIS = 1_500;

  private final World world;
  private final ModelCluster cluster;
  private final TableDescriptor base;
  private final List<ObservedRegion> regions = new ArrayList<>();

  Deployment(World world, ModelCluster cluster, String strategy, int versions) {
    this.world = world;
    this.cluster = cluster;
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(BASE)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Worker.FAMILY)
                    .setMaxVersions(versions)
                    .build());
    List<IndexDefinition> definitions =
        List.of(definition(Worker.A, strategy), definition(Worker.B, strategy));
    definitions.forEach(definition -> IndexDefinitions.put(builder, definition));
    base = builder.build();
    add(base, "server 1");
    definitions.forEach(
        definition -> add(IndexTables.descriptor(base, definition), "server " + definition.name()));
  }

  private static IndexDefinition definition(String column, String strategy) {
    return IndexDefinition.on(index(column), Column.parse(column)).withStrategy(strategy);
  }

  /** The index on a column. */
  static String index(String column) {
    return "by_" + column.substring(2);
  }

  private void add(TableDescriptor table, String server) {
    ModelRegion region = new ModelRegion(table, world, new World.Node(server, 0));
    cluster.add(region);
    regions.add(open(region));
  }

  private ObservedRegion open(ModelRegion region) {
    AsyncConnection connection =
        ModelConnection.open(cluster, region.server(), CONFIGURATION, OPERATION_TIMEOUT_MILLIS);
    DeleteSender sender =
        new TableDeleteSender(
            () -> CompletableFuture.completedFuture(connection), ObservedRegion.METRICS);
    return new ObservedRegion(region, world, GRACE_MILLIS, sender);
  }

  /** The base region first. */
  List<ObservedRegion> regions() {
    return regions;
  }

  TableDescriptor base() {
    return base;
  }

  /** Ends the server of a region, which opens again after a while. */
  void crash(int place, long millis) {
    ModelRegion region = regions.get(place).region();
    world.tell(region.server(), () -> "crashes");
    region.crash();
    world.afterMillis(
        millis,
        region.server(),
        () -> {
          world.tell(region.server(), () -> "starts, and opens " + region);
          regions.set(place, open(region));
        });
  }

  /** What all clients are set to. */
  static final Configuration CONFIGURATION = configuration();

  private static Configuration configuration() {
    Configuration configuration = new Configuration(false);
    configuration.setLong(DeliSettings.REPAIR_GRACE.key(), GRACE_MILLIS);
    configuration.setLong(DeliSettings.DEFINITIONS_LEASE.key(), 1_000);
    configuration.setLong(DeliSettings.DEFINITIONS_REFRESH.key(), 1_000);
    configuration.setLong(DeliSettings.READ_PAGE.key(), 2);
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
