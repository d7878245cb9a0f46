package io.deli.lab.experiment;

import io.deli.client.CreateIndexOptions;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.index.ValueType;
import io.deli.lab.experiment.Experiment.Arm;
import io.deli.lab.experiment.Experiment.Keeper;
import io.deli.lab.experiment.Experiment.Layout;
import io.deli.lab.experiment.OwnHBase.Premises;
import io.deli.service.Flush;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.Strategies;
import io.deli.ycsb.DeliClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** A table of HBase, without an index or with one of DELI's. */
class HBaseTable implements ArmTable {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final String INDEX = "by_" + Workloads.FIELD;
  private static final long POLL_NANOS = 5_000_000;

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

  private final Lab lab;
  private final TableName name;
  private final Arm arm;
  private final Layout layout;
  private final Map<String, String> workload;

  /** A table, which need not be there yet, for as many rows and values as a workload has. */
  HBaseTable(Lab lab, TableName name, Arm arm, Layout layout, Map<String, String> workload) {
    this.lab = lab;
    this.name = name;
    this.arm = arm;
    this.layout = layout;
    this.workload = workload;
  }

  Lab lab() {
    return lab;
  }

  TableName name() {
    return name;
  }

  Arm arm() {
    return arm;
  }

  long rows() {
    return Workloads.rows(workload);
  }

  long values() {
    return Workloads.values(workload);
  }

  IndexDefinition index() {
    IndexDefinition index =
        IndexDefinition.on(INDEX, Column.of(FAMILY, Bytes.toBytes(Workloads.FIELD)))
            .withType(layout.type())
            .withOrder(layout.order())
            .withStrategy(arm.strategy())
            .withMaintenance(
                arm.keeper() == Keeper.SERVER ? Maintenance.SERVER : Maintenance.CLIENT);
    return arm.buckets() == 1
        ? index
        : index.withOption(IndexDefinition.BUCKETS, Integer.toString(arm.buckets()));
  }

  private List<IndexDefinition> indexes() {
    if (!arm.isIndexed()) {
      return List.of();
    }
    List<IndexDefinition> indexes = new ArrayList<>();
    if (layout.valued()) {
      indexes.add(index());
    }
    if (layout.places() && arm.places()) {
      indexes.add(Places.index(arm.strategy()));
    }
    return indexes;
  }

  /** The tables of its indexes. */
  List<TableName> entries() {
    return indexes().stream()
        .flatMap(index -> IndexDefinitions.indexTable(name, index).stream())
        .toList();
  }

  final List<TableName> tables() {
    return Stream.concat(Stream.of(name), entries().stream()).toList();
  }

  @Override
  public void create() throws IOException {
    createWithoutIndex();
    Admin admin = lab.admin();
    for (IndexDefinition index : indexes()) {
      // Buckets are regions already.
      boolean split =
          layout.regions() > 1
              && arm.buckets() == 1
              && Strategies.named(arm.strategy()).keepsTable();
      lab.deliAdmin()
          .createIndex(
              name, index, CreateIndexOptions.DEFAULT.withSplits(split ? valueCuts() : List.of()));
    }
    Map<String, String> settings = settings();
    for (TableName each : settings.isEmpty() ? List.<TableName>of() : entries()) {
      TableDescriptorBuilder changed = TableDescriptorBuilder.newBuilder(admin.getDescriptor(each));
      settings.forEach(changed::setValue);
      admin.modifyTable(changed.build());
    }
  }

  /** The settings of all its tables, for each of them collects garbage and writes files. */
  private Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(arm.settings());
    if (layout.keepsFiles()) {
      settings.putAll(FILES_KEPT);
    }
    return settings;
  }

  void createWithoutIndex() throws IOException {
    drop();
    TableDescriptorBuilder descriptor =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                    .setCompressionType(arm.compression())
                    .build());
    settings().forEach(descriptor::setValue);
    lab.admin().createTable(descriptor.build(), rowCuts().toArray(byte[][]::new));
  }

  /** Returns the first keys of its regions, but for the first region. */
  List<byte[]> rowCuts() {
    return cuts(rows(), row -> Bytes.toBytes(Workloads.key(row)));
  }

  /** Returns the first values of an index's regions, but for the first region. */
  List<byte[]> valueCuts() {
    return cuts(values(), this::value);
  }

  /** Creates the index of a table that has rows, to be built. */
  void createIndexToBuild() throws IOException {
    lab.deliAdmin()
        .createIndex(
            name,
            index(),
            CreateIndexOptions.DEFAULT
                .withExistingRows(ExistingRows.BUILD)
                .withRegions(layout.regions()));
  }

  private byte[] value(long number) {
    String text = Workloads.value(number);
    ValueType type = layout.type();
    return type.isNumeric() ? type.parse(text) : Bytes.toBytes(text);
  }

  private List<byte[]> cuts(long range, LongFunction<byte[]> start) {
    return LongStream.range(1, layout.regions())
        .mapToObj(i -> start.apply(range * i / layout.regions()))
        .toList();
  }

  @Override
  public DB binding() throws IOException {
    return arm.keeper() == Keeper.SERVER
        ? new ServedClient(lab.plain(), lab.deli())
        : new DeliClient(isPlainClient() ? lab.plain() : lab.deli());
  }

  private boolean isPlainClient() {
    return !arm.isIndexed() || !arm.isDeli();
  }

  /** Writes as clients do that know of no index, and reads by it. */
  private static final class ServedClient extends DeliClient {
    private final DeliClient writer;

    ServedClient(Connection plain, Connection deli) {
      super(deli);
      writer = new DeliClient(plain);
    }

    @Override
    public void init() throws DBException {
      writer.setProperties(getProperties());
      writer.init();
      super.init();
    }

    @Override
    public void cleanup() throws DBException {
      try {
        writer.cleanup();
      } finally {
        super.cleanup();
      }
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return writer.update(table, key, values);
    }

    @Override
    public Status delete(String table, String key) {
      return writer.delete(table, key);
    }
  }

  @Override
  public void describe(Properties properties) {
    properties.setProperty("table", name.getNameAsString());
    properties.setProperty("columnfamily", Bytes.toString(FAMILY));
    properties.setProperty("deli.ycsb.strategy", isPlainClient() ? Arm.PLAIN : arm.strategy());
    properties.setProperty("deli.ycsb.type", layout.type().name());
    properties.setProperty("deli.ycsb.order", layout.order().name());
  }

  @Override
  public Premises premises() {
    return lab.premises();
  }

  @Override
  public void flush() throws IOException {
    for (TableName each : tables()) {
      Flush.table(lab.admin(), each);
    }
    lab.flush();
  }

  @Override
  public void settle() throws IOException {
    if (arm.isDeli()) {
      lab.deliAdmin().collect(name, ProgressListener.NONE);
    } else {
      flush();
      compact(tables());
    }
  }

  @Override
  public void remember() throws IOException {
    forget();
    for (TableName each : tables()) {
      lab.admin().snapshot(each.getQualifierAsString(), each);
    }
  }

  @Override
  public void restore() throws IOException {
    Admin admin = lab.admin();
    all(tables(), admin::disableTableAsync);
    for (TableName each : tables()) {
      admin.restoreSnapshot(each.getQualifierAsString());
    }
    all(tables(), admin::enableTableAsync);
  }

  private void forget() throws IOException {
    for (TableName each : tables()) {
      lab.admin().deleteSnapshots(Pattern.compile(Pattern.quote(each.getQualifierAsString())));
    }
  }

  /** Drops all its index tables with it, also those that it had by another layout. */
  @Override
  public void drop() throws IOException {
    Pattern all = Pattern.compile(Pattern.quote(name.getNameAsString()) + "(\\..*)?");
    Admin admin = lab.admin();
    admin.deleteSnapshots(all);
    List<TableName> there = List.of(admin.listTableNames(all));
    List<TableName> enabled = new ArrayList<>();
    for (TableName each : there) {
      if (admin.isTableEnabled(each)) {
        enabled.add(each);
      }
    }
    all(enabled, admin::disableTableAsync);
    all(there, admin::deleteTableAsync);
  }

  private static void all(List<TableName> tables, FunctionRaisingIOE<TableName, Future<?>> begun)
      throws IOException {
    List<Future<?>> running = new ArrayList<>();
    for (TableName each : tables) {
      running.add(begun.apply(each));
    }
    for (Future<?> each : running) {
      FutureUtils.get(each);
    }
  }

  Outcome compact() throws IOException {
    return compact(List.of(name));
  }

  Outcome compact(List<TableName> compacted) throws IOException {
    try (Admin admin = lab.plain().getAdmin()) {
      List<RegionInfo> regions = new ArrayList<>();
      for (TableName each : compacted) {
        regions.addAll(admin.getRegions(each));
      }
      long begun = System.nanoTime();
      for (TableName each : compacted) {
        admin.majorCompact(each);
      }
      for (RegionInfo region : regions) {
        while (admin.getCompactionStateForRegion(region.getRegionName()) != CompactionState.NONE) {
          LockSupport.parkNanos(POLL_NANOS);
        }
      }
      Outcome outcome = Outcome.of(1, (System.nanoTime() - begun) / 1e9);
      for (TableName each : compacted) {
        lab.requireCompacted(each);
      }
      return outcome;
    }
  }

  @Override
  public Outcome size() throws IOException {
    double base = lab.megabytes(name);
    double index = 0;
    for (TableName each : entries()) {
      index += lab.megabytes(each);
    }
    return Outcome.found(Map.of("MB", base + index, "MB of base", base, "MB of index", index));
  }

  Outcome countEntries() throws IOException {
    double count = 0;
    for (TableName each : entries()) {
      try (Table table = lab.plain().getTable(each);
          ResultScanner scanner = table.getScanner(new Scan().setFilter(new KeyOnlyFilter()))) {
        for (Result row : scanner) {
          count += row.size();
        }
      }
    }
    return Outcome.found(Map.of("entries", count));
  }
}
