package io.deli.lab.experiment.catalog;

import io.deli.client.ProgressListener;
import io.deli.index.IndexDefinition;
import io.deli.lab.experiment.Lab;
import io.deli.lab.measure.Timing;
import io.deli.lab.measure.Workers;
import io.deli.strategy.IndexDefinitions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
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
 * @param indexes that it has
 * @param settings of the table's descriptor
 * @param keepsFiles whether files of table and index are compacted when the experiment wants it
 *     only
 */
record Store(
    Lab lab,
    TableName table,
    String arm,
    List<IndexDefinition> indexes,
    Map<String, String> settings,
    boolean keepsFiles) {

  private static final int LOADERS = 4;
  private static final int BATCH = 200;

  /** With these servers neither compact files nor write some before they are told to. */
  private static final Map<String, String> FILES_KEPT =
      Map.of(
          "hbase.hstore.compactionThreshold",
          "999",
          // Or it would hold up flushes, and with them writes.
          "hbase.hstore.blockingStoreFiles",
          "999",
          // More than any of them has: one flush is one file.
          TableDescriptorBuilder.MEMSTORE_FLUSHSIZE,
          Long.toString(1L << 30));

  Store {
    indexes = List.copyOf(indexes);
    settings = Map.copyOf(settings);
  }

  /** HBase without DELI. */
  static Store plain(Lab lab, String experiment) {
    return of(lab, experiment, "plain", List.of());
  }

  /** A table with an index, named as its strategy is. */
  static Store indexed(Lab lab, String experiment, IndexDefinition index) {
    return of(lab, experiment, index.strategy(), List.of(index));
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

  /** A table with such indexes. */
  static Store of(Lab lab, String experiment, String arm, List<IndexDefinition> indexes) {
    String suffix = arm.replaceAll("[^\\w-]+", "-");
    TableName name = TableName.valueOf(Lab.TABLES + experiment + "_" + suffix);
    return new Store(lab, name, arm, indexes, Map.of(), false);
  }

  /** As another arm, with settings of the table's. */
  Store with(String newArm, String... keysAndValues) {
    Map<String, String> all = new TreeMap<>(settings);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      all.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    String suffix = newArm.equals(arm) ? "" : "_" + newArm.replaceAll("\\W+", "-");
    TableName name = TableName.valueOf(table.getNameAsString() + suffix);
    return new Store(lab, name, newArm, indexes, all, keepsFiles);
  }

  /** With files that are compacted when the experiment wants it only. */
  Store keepingFiles() {
    return new Store(lab, table, arm, indexes, settings, true);
  }

  /** Creates the table anew, empty. */
  void create(byte[] family) throws IOException {
    drop();
    TableDescriptorBuilder descriptor =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    settings.forEach(descriptor::setValue);
    if (keepsFiles) {
      FILES_KEPT.forEach(descriptor::setValue);
    }
    try (Admin admin = lab.admin()) {
      admin.createTable(descriptor.build());
      for (IndexDefinition index : indexes) {
        lab.deliAdmin().createIndex(table, index);
      }
      for (TableName entries : keepsFiles ? entries() : List.<TableName>of()) {
        TableDescriptorBuilder changed =
            TableDescriptorBuilder.newBuilder(admin.getDescriptor(entries));
        FILES_KEPT.forEach(changed::setValue);
        admin.modifyTable(changed.build());
      }
    }
  }

  /** Notes what base and index have in files, for {@link #restore}. */
  void remember() throws IOException {
    forget();
    try (Admin admin = lab.admin()) {
      for (TableName each : tables()) {
        admin.snapshot(snapshot(each), each);
      }
    }
  }

  /** Gives base and index the files back that they had at {@link #remember}, and no others. */
  void restore() throws IOException {
    try (Admin admin = lab.admin()) {
      List<Future<?>> running = new ArrayList<>();
      for (TableName each : tables()) {
        running.add(admin.disableTableAsync(each));
      }
      await(running);
      for (TableName each : tables()) {
        admin.restoreSnapshot(snapshot(each));
      }
      for (TableName each : tables()) {
        running.add(admin.enableTableAsync(each));
      }
      await(running);
    }
  }

  /** Drops what {@link #remember} noted, if anything. */
  void forget() throws IOException {
    try (Admin admin = lab.admin()) {
      for (TableName each : tables()) {
        admin.deleteSnapshots(Pattern.compile(Pattern.quote(snapshot(each))));
      }
    }
  }

  private static String snapshot(TableName table) {
    return table.getQualifierAsString();
  }

  void drop() throws IOException {
    dropAll(List.of(this));
  }

  /** What an application works with; one for each thread. */
  Table open() throws IOException {
    return isIndexed() ? lab.deli().getTable(table) : lab.plain().getTable(table);
  }

  boolean isIndexed() {
    return !indexes.isEmpty();
  }

  /** The tables of those indexes that have one. */
  List<TableName> entries() {
    return indexes.stream()
        .flatMap(index -> IndexDefinitions.indexTable(table, index).stream())
        .toList();
  }

  private List<TableName> tables() {
    return Stream.concat(Stream.of(table), entries().stream()).toList();
  }

  /** Writes rows in batches: those whose number is wanted. */
  Timing fill(int rows, IntPredicate wanted, IntFunction<Put> put) throws IOException {
    lab.tell("filling " + table);
    PrimitiveIterator.OfInt numbers = IntStream.range(0, rows).filter(wanted).iterator();
    return Workers.toTheEnd(
        LOADERS,
        thread -> {
          Table target = open();
          return Workers.closing(
              target,
              random -> {
                List<Put> batch = next(numbers).stream().map(put::apply).toList();
                if (!batch.isEmpty()) {
                  target.put(batch);
                }
                return batch.size();
              });
        });
  }

  /** The rows of a batch, of numbers that all threads share. */
  private static List<Integer> next(PrimitiveIterator.OfInt numbers) {
    List<Integer> batch = new ArrayList<>(BATCH);
    synchronized (numbers) {
      while (batch.size() < BATCH && numbers.hasNext()) {
        batch.add(numbers.next());
      }
    }
    return batch;
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

  /** Megabytes of base and indexes. */
  double megabytes() throws IOException {
    return megabytes(tables());
  }

  /** Megabytes of the base table. */
  double baseMegabytes() throws IOException {
    return megabytes(List.of(table));
  }

  private double megabytes(List<TableName> tables) throws IOException {
    double sum = 0;
    for (TableName each : tables) {
      sum += megabytes(each);
    }
    return sum;
  }

  /**
   * Megabytes of a table's files; where the files are out of sight what region servers report, in
   * whole ones.
   */
  private double megabytes(TableName which) throws IOException {
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
