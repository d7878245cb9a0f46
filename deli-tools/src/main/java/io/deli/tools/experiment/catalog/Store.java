package io.deli.tools.experiment.catalog;

import io.deli.client.ProgressListener;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexDefinitions;
import io.deli.tools.experiment.Lab;
import io.deli.tools.measure.Timing;
import io.deli.tools.measure.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * One arm: a table of its own, with an index or without.
 *
 * @param arm its name
 * @param index the index that it has, if any
 * @param settings of the table's descriptor
 */
record Store(
    Lab lab,
    TableName table,
    String arm,
    Optional<IndexDefinition> index,
    Map<String, String> settings) {

  private static final int LOADERS = 4;
  private static final int BATCH = 200;
  private static final String PREFIX = "deli_experiment_";

  Store {
    settings = Map.copyOf(settings);
  }

  /** HBase without DELI. */
  static Store plain(Lab lab, String experiment) {
    return of(lab, experiment, "plain", Optional.empty());
  }

  /** A table with an index, named as its strategy is. */
  static Store indexed(Lab lab, String experiment, IndexDefinition index) {
    return of(lab, experiment, index.strategy(), Optional.of(index));
  }

  /** HBase without DELI, and tables with an index of these strategies. */
  static List<Store> plainAnd(
      Lab lab, String experiment, Function<String, IndexDefinition> index, String... strategies) {
    List<Store> all = new ArrayList<>();
    all.add(plain(lab, experiment));
    for (String strategy : strategies) {
      all.add(indexed(lab, experiment, index.apply(strategy)));
    }
    return all;
  }

  /** All at once, since each takes the servers a while. */
  static void dropAll(List<Store> stores) throws IOException {
    if (stores.isEmpty()) {
      return;
    }
    try (Admin admin = stores.get(0).lab.admin()) {
      List<TableName> there = new ArrayList<>();
      List<Future<?>> running = new ArrayList<>();
      for (Store store : stores) {
        for (TableName each : store.tables()) {
          if (admin.tableExists(each)) {
            there.add(each);
            if (admin.isTableEnabled(each)) {
              running.add(admin.disableTableAsync(each));
            }
          }
        }
      }
      await(running);
      for (TableName each : there) {
        running.add(admin.deleteTableAsync(each));
      }
      await(running);
    }
  }

  private static void await(List<Future<?>> running) throws IOException {
    for (Future<?> each : running) {
      FutureUtils.get(each);
    }
    running.clear();
  }

  private static Store of(Lab lab, String experiment, String arm, Optional<IndexDefinition> index) {
    TableName name = TableName.valueOf(PREFIX + experiment + "_" + arm);
    return new Store(lab, name, arm, index, Map.of());
  }

  /** As another arm, with settings of the table's. */
  Store with(String newArm, String... keysAndValues) {
    Map<String, String> all = new TreeMap<>(settings);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      all.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    String suffix = newArm.equals(arm) ? "" : "_" + newArm.replaceAll("\\W+", "-");
    return new Store(lab, TableName.valueOf(table.getNameAsString() + suffix), newArm, index, all);
  }

  /** With files that are compacted when the experiment wants it only. */
  Store keepingFiles() {
    return with(
        arm,
        "hbase.hstore.compactionThreshold",
        "999",
        // Or it would hold up flushes, and with them writes.
        "hbase.hstore.blockingStoreFiles",
        "999");
  }

  /** Creates the table anew, empty. */
  void create(byte[] family) throws IOException {
    drop();
    TableDescriptorBuilder descriptor =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    settings.forEach(descriptor::setValue);
    try (Admin admin = lab.admin()) {
      admin.createTable(descriptor.build());
    }
    if (index.isPresent()) {
      lab.deliAdmin().createIndex(table, index.get());
    }
  }

  void drop() throws IOException {
    dropAll(List.of(this));
  }

  /** What an application works with; one for each thread. */
  Table open() throws IOException {
    return index.isPresent() ? lab.deli().getTable(table) : lab.plain().getTable(table);
  }

  /** The index's table, if it has one. */
  Optional<TableName> entries() {
    return index.flatMap(definition -> IndexDefinitions.indexTable(table, definition));
  }

  private Iterable<TableName> tables() {
    return Stream.concat(Stream.of(table), entries().stream()).toList();
  }

  /** Writes rows in batches: those whose number is wanted. */
  Timing fill(int rows, IntPredicate wanted, IntFunction<Put> put) throws IOException {
    return Workers.toTheEnd(
        LOADERS,
        thread -> {
          Table target = open();
          int[] next = {thread};
          return Workers.closing(
              target,
              random -> {
                List<Put> batch = new ArrayList<>(BATCH);
                for (; next[0] < rows && batch.size() < BATCH; next[0] += LOADERS) {
                  if (wanted.test(next[0])) {
                    batch.add(put.apply(next[0]));
                  }
                }
                if (!batch.isEmpty()) {
                  target.put(batch);
                }
                return batch.size();
              });
        });
  }

  /** Brings base and index into one file a region, without garbage. */
  void settle() throws IOException {
    lab.deliAdmin().collect(table, ProgressListener.NONE);
  }

  void flush() throws IOException {
    try (Admin admin = lab.admin()) {
      for (TableName each : tables()) {
        admin.flush(each);
      }
    }
  }

  /** Megabytes of base and index. */
  double megabytes() throws IOException {
    double sum = 0;
    for (TableName each : tables()) {
      sum += megabytes(each);
    }
    return sum;
  }

  /**
   * Megabytes of a table's files; where the files are out of sight what region servers report, in
   * whole ones.
   */
  double megabytes(TableName which) throws IOException {
    Optional<Path> files = lab.files();
    if (files.isEmpty()) {
      return reported(which, region -> region.getStoreFileSize().get(Size.Unit.MEGABYTE));
    }
    Path directory =
        files
            .get()
            .resolve("data")
            .resolve(which.getNamespaceAsString())
            .resolve(which.getQualifierAsString());
    return StoreFiles.bytes(directory, () -> reported(which, RegionMetrics::getStoreFileCount))
        / 1e6;
  }

  private double reported(TableName which, ToDoubleFunction<RegionMetrics> value)
      throws IOException {
    try (Admin admin = lab.admin()) {
      double sum = 0;
      for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values()) {
        for (RegionMetrics region : admin.getRegionMetrics(server.getServerName(), which)) {
          sum += value.applyAsDouble(region);
        }
      }
      return sum;
    }
  }
}
