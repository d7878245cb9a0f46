package io.deli.simulation;

import io.deli.test.fault.Proxies;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncAdminBuilder;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;

/**
 * A connection of one process to a {@link ModelCluster}, as far as DELI uses HBase's. What it does
 * not use fails.
 */
record ModelConnection(
    ModelCluster cluster, World.Node process, Configuration configuration, long timeoutMillis) {
  /** Each table is in one region, and always in the same place. */
  private static final Map<String, AsyncTableRegionLocator> LOCATORS = new ConcurrentHashMap<>();

  /**
   * Opens one.
   *
   * @param timeoutMillis of an operation, unless a table is made with another
   */
  static AsyncConnection open(
      ModelCluster cluster, World.Node process, Configuration configuration, long timeoutMillis) {
    return new ModelConnection(cluster, process, configuration, timeoutMillis).proxy();
  }

  private AsyncConnection proxy() {
    return Proxies.of(
        AsyncConnection.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "getConfiguration" -> configuration;
              case "getTable" -> table((TableName) arguments[0], timeoutMillis);
              case "getTableBuilder" -> builder((TableName) arguments[0]);
              case "getRegionLocator" -> locator((TableName) arguments[0]);
              case "getAdmin" -> admin(timeoutMillis);
              case "getAdminBuilder" -> adminBuilder();
              case "close" -> null;
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }

  private AsyncTable<AdvancedScanResultConsumer> table(TableName name, long operationMillis) {
    return new ModelTable(cluster, process, configuration, name, operationMillis, locator(name));
  }

  private Object builder(TableName name) {
    long[] millis = {timeoutMillis};
    return Proxies.of(
        AsyncTableBuilder.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "build" -> table(name, millis[0]);
              case "setOperationTimeout" -> {
                millis[0] = ((TimeUnit) arguments[1]).toMillis((Long) arguments[0]);
                yield self;
              }
              default -> self;
            });
  }

  private AsyncTableRegionLocator locator(TableName name) {
    String server = cluster.region(name).map(region -> region.server().toString()).orElse("none");
    return LOCATORS.computeIfAbsent(name + " on " + server, any -> located(name, server));
  }

  private static AsyncTableRegionLocator located(TableName name, String server) {
    HRegionLocation location =
        new HRegionLocation(
            RegionInfoBuilder.newBuilder(name).build(),
            ServerName.valueOf(server.replace(' ', '-'), 1, 1));
    CompletableFuture<HRegionLocation> known = CompletableFuture.completedFuture(location);
    return Proxies.of(
        AsyncTableRegionLocator.class,
        (self, method, arguments) ->
            method.getName().equals("getAllRegionLocations") ? known.thenApply(List::of) : known);
  }

  private AsyncAdminBuilder adminBuilder() {
    long[] millis = {timeoutMillis};
    return Proxies.of(
        AsyncAdminBuilder.class,
        (self, method, arguments) -> {
          if (method.getName().equals("build")) {
            return admin(millis[0]);
          }
          if (method.getName().equals("setOperationTimeout")) {
            millis[0] = ((TimeUnit) arguments[1]).toMillis((Long) arguments[0]);
          }
          return self;
        });
  }

  private AsyncAdmin admin(long millis) {
    return Proxies.of(
        AsyncAdmin.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "getDescriptor" -> cluster.describe(process, (TableName) arguments[0], millis);
              case "isTableDisabled" -> CompletableFuture.completedFuture(false);
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }
}
