package io.deli.simulation;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** The tables that there are, by name, and the way to them. */
final class ModelCluster {
  private final World world;
  private final Courier courier;
  private final World.Node master = new World.Node("master", 0);
  private final Map<TableName, ModelRegion> regions = new LinkedHashMap<>();

  ModelCluster(World world, Courier courier) {
    this.world = world;
    this.courier = courier;
  }

  World world() {
    return world;
  }

  void add(ModelRegion region) {
    regions.put(region.table().getTableName(), region);
  }

  void remove(TableName table) {
    regions.remove(table);
  }

  Optional<ModelRegion> region(TableName table) {
    return Optional.ofNullable(regions.get(table));
  }

  /** What a region is asked. */
  interface Question<T> {
    T ask(ModelRegion region) throws IOException;
  }

  <T> CompletableFuture<T> ask(
      World.Node from,
      TableName table,
      long timeoutMillis,
      Supplier<String> wording,
      List<? extends Row> operations,
      Question<T> question) {
    ModelRegion known = regions.get(table);
    if (known == null) {
      return CompletableFuture.failedFuture(new TableNotFoundException(table));
    }
    return courier.send(
        from,
        known.server(),
        timeoutMillis,
        wording,
        new Courier.Service<T>() {
          @Override
          public long waitMillis() {
            return known.waitMillis(operations);
          }

          @Override
          public T serve() throws IOException {
            ModelRegion region = regions.get(table);
            if (region == null) {
              throw new TableNotFoundException(table);
            }
            if (!region.isOpen()) {
              throw Courier.notServing(region);
            }
            return question.ask(region);
          }
        });
  }

  /** Asks the master for a table's descriptor. */
  CompletableFuture<TableDescriptor> describe(
      World.Node from, TableName table, long timeoutMillis) {
    return courier.send(
        from,
        master,
        timeoutMillis,
        () -> "describe " + table,
        () ->
            region(table)
                .map(ModelRegion::table)
                .orElseThrow(() -> new TableNotFoundException(table)));
  }
}
