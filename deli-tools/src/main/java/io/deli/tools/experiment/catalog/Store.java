package io.deli.tools.experiment.catalog;

import io.deli.client.DeliAdmin;
import io.deli.client.ProgressListener;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexDefinitions;
import io.deli.tools.experiment.Lab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

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
  /** The setting of how many files a compaction waits for. */
  static final String COMPACTION_THRESHOLD = "hbase.hstore.compactionThreshold";

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

  static void dropAll(List<Store> stores) throws IOException {
    for (Store store : stores) {
      store.drop();
    }
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
    String name = table.getNameAsString() + "_" + newArm.replace(' ', '-');
    return new Store(lab, TableName.valueOf(name), newArm, index, all);
  }

  /** Creates the table anew, empty. */
  void create(byte[] family) throws IOException {
    drop();
    TableDescriptorBuilder descriptor =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    settings.forEach(descriptor::setValue);
    try (Admin admin = lab.plain().getAdmin()) {
      admin.createTable(descriptor.build());
    }
    if (index.isPresent()) {
      DeliAdmin.of(lab.deli()).createIndex(table, index.get());
    }
  }

  void drop() throws IOException {
    try (Admin admin = lab.plain().getAdmin()) {
      for (TableName each : tables()) {
        if (admin.tableExists(each)) {
          if (admin.isTableEnabled(each)) {
            admin.disableTable(each);
          }
          admin.deleteTable(each);
        }
      }
    }
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

  /** Brings base and index into one file a region, without garbage. */
  void settle() throws IOException {
    DeliAdmin.of(lab.deli()).collect(table, ProgressListener.NONE);
  }

  void flush() throws IOException {
    try (Admin admin = lab.plain().getAdmin()) {
      for (TableName each : tables()) {
        admin.flush(each);
      }
    }
  }

  /**
   * Megabytes of a table's files; where the files are out of sight what region servers report, in
   * whole ones.
   */
  double megabytes(TableName which) throws IOException {
    Optional<Path> files = lab.files();
    if (files.isEmpty()) {
      return reportedMegabytes(which);
    }
    Path directory =
        files
            .get()
            .resolve("data")
            .resolve(which.getNamespaceAsString())
            .resolve(which.getQualifierAsString());
    try (Stream<Path> all = Files.walk(directory)) {
      long bytes = 0;
      for (Path file : (Iterable<Path>) all::iterator) {
        bytes += Files.isRegularFile(file) ? Files.size(file) : 0;
      }
      return bytes / 1e6;
    }
  }

  private double reportedMegabytes(TableName which) throws IOException {
    try (Admin admin = lab.plain().getAdmin()) {
      double sum = 0;
      for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values()) {
        for (RegionMetrics region : admin.getRegionMetrics(server.getServerName(), which)) {
          sum += region.getStoreFileSize().get(Size.Unit.MEGABYTE);
        }
      }
      return sum;
    }
  }
}
