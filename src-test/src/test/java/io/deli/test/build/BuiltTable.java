package io.deli.test.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.config.DeliSettings;
import io.deli.entry.Entry;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.lab.torture.Audit;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.Background;
import io.deli.test.cluster.Gate;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.tools.DeliProcess;
import io.deli.tools.mapreduce.MapReduceEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** A table that gets an index when it has rows, and clients with a short lease. */
final class BuiltTable extends TestTable implements AutoCloseable {
  private final DeliConnection connection;

  private BuiltTable(TestTable table) throws IOException {
    super(table);
    this.connection = MiniCluster.connect(configuration());
  }

  /** Of clients and builders. */
  static Configuration configuration() {
    return MiniCluster.configuration(500);
  }

  /** Writes the configuration of a builder that is a process of its own. */
  static void writeSite(Path directory) throws IOException {
    MiniCluster.writeSite(configuration(), directory);
  }

  /** One of a builder whose term is twice the lease. */
  static DeliConnection connect(long leaseMillis) throws IOException {
    return MiniCluster.connect(MiniCluster.configuration(leaseMillis));
  }

  /** One that reads so many entries at a time. */
  static DeliConnection connectWithPages(long leaseMillis, int entries) throws IOException {
    Configuration configuration = MiniCluster.configuration(leaseMillis);
    configuration.setInt(DeliSettings.READ_PAGE.key(), entries);
    return MiniCluster.connect(configuration);
  }

  static BuiltTable create(String stem, String... splits) throws IOException {
    return new BuiltTable(
        createAsOperator(
            describe(stem, 2),
            List.of(),
            Arrays.stream(splits).map(Bytes::toBytes).toArray(byte[][]::new)));
  }

  /** A table of so many rows, {@code row0000} and so on, which are their values, too. */
  static BuiltTable filled(String stem, int rows) throws IOException {
    BuiltTable table = create(stem);
    table.fill("row", rows);
    return table;
  }

  DeliConnection connection() {
    return connection;
  }

  DeliAdmin admin() {
    return connection.getDeliAdmin();
  }

  static IndexDefinition definition(String strategy) {
    return byQ().withStrategy(strategy);
  }

  /** With a tokenizer that the test can stop. */
  static IndexDefinition stoppable() {
    return definition("deferred").withTokenizer(UserTokenizer.class.getName());
  }

  /** Writes as a client does that knows of no index. */
  void putPlain(List<Put> puts) throws IOException {
    try (Table plain = table()) {
      plain.put(puts);
    }
  }

  /** Rows with the name and a number, each with its own name as value. */
  void fill(String stem, int rows) throws IOException {
    List<Put> puts = new ArrayList<>(rows);
    for (int i = 0; i < rows; i++) {
      String row = "%s%04d".formatted(stem, i);
      puts.add(put(row, row));
    }
    putPlain(puts);
  }

  /** Rows with the name, a number and a value, by a client that keeps indexes. */
  void write(String stem, int rows, String value) throws IOException {
    List<Put> puts = new ArrayList<>(rows);
    for (int i = 0; i < rows; i++) {
      puts.add(put("%s%04d".formatted(stem, i), value));
    }
    try (DeliTable client = connection.getTable(name())) {
      client.put(puts);
    }
  }

  /** Rows that are those of {@link Writers}. */
  void fillSpread(int rows) throws IOException {
    try (BufferedMutator mutator = MiniCluster.connection().getBufferedMutator(name())) {
      for (int i = 0; i < rows; i++) {
        mutator.mutate(put(Writers.row(i, rows), "v" + i % 1_000));
      }
    }
  }

  /** An index that is to be built. */
  void createIndex(IndexDefinition definition) throws IOException {
    admin()
        .createIndex(
            name(), definition, CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.BUILD));
  }

  /** The same with so many regions. */
  void createIndex(IndexDefinition definition, int regions) throws IOException {
    admin()
        .createIndex(
            name(),
            definition,
            CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.BUILD).withRegions(regions));
  }

  /** Has a process create the index and build it by a job. */
  void createIndexByJob(Path directory) throws Exception {
    List<String> command =
        List.of(
            "create-index",
            name().getNameAsString(),
            INDEX,
            COLUMN.toString(),
            "--build",
            "--mapreduce",
            "--conf",
            directory.toString());
    try (DeliProcess deli = DeliProcess.start(directory, command)) {
      assertThat(deli.awaitEnd()).as(deli.transcript()).isZero();
      assertThat(deli.printed()).contains("built of 100 rows");
    }
    assertExactWhenCollected();
  }

  /** Has a process build the index, which is killed when what it asks for is held. */
  void killBuildAt(Gate hold, Path directory, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("build", name().getNameAsString(), INDEX));
    command.addAll(List.of(options));
    command.addAll(List.of("--conf", directory.toString()));
    try (DeliProcess deli = DeliProcess.start(directory, command)) {
      assertThat(hold.arrives()).as(deli.transcript()).isTrue();
      deli.kill();
    }
  }

  /** A way to build the index of a table. */
  interface Building {
    BuildReport of(BuiltTable table) throws IOException;
  }

  /** An index of two regions is complete that was created and built while writers wrote. */
  void assertBuiltAmidWriters(String strategy, Building building) throws Exception {
    try (Writers writers = Writers.start(this, 3, 1_000)) {
      fillSpread(1_000);
      createIndex(definition(strategy), 2);
      assertThat(state()).isEqualTo(IndexState.BUILDING);
      BuildReport report = building.of(this);
      assertThat(state()).isEqualTo(IndexState.ACTIVE);
      assertThat(report.rows()).isGreaterThanOrEqualTo(500);
      assertThat(report.entries()).isGreaterThanOrEqualTo(report.rows());
      writers.end();
    }
    assertComplete();
    if (strategy.equals("deferred")) {
      assertTidyWhenCollected();
    }
  }

  BuildReport build() throws IOException {
    return build(INDEX);
  }

  BuildReport build(BuildOptions options) throws IOException {
    return admin().build(name(), INDEX, options, ProgressListener.NONE);
  }

  BuildReport build(String index) throws IOException {
    return admin().build(name(), index, BuildOptions.DEFAULT, ProgressListener.NONE);
  }

  /** By one thread, which takes the ranges in their order. */
  BuildReport buildInOrder() throws IOException {
    return build(BuildOptions.DEFAULT.withThreads(1));
  }

  /** The same on another thread. */
  CompletableFuture<BuildReport> start(DeliConnection builder, BuildOptions options) {
    return Background.call(
        () -> builder.getDeliAdmin().build(name(), INDEX, options, ProgressListener.NONE));
  }

  /** By a job of MapReduce, in this JVM. */
  BuildReport buildByJob(String index) throws IOException {
    return buildByJob(index, ProgressListener.NONE);
  }

  BuildReport buildByJob(String index, ProgressListener progress) throws IOException {
    return admin().build(name(), index, new MapReduceEngine(), progress);
  }

  /** The same on another thread. */
  CompletableFuture<BuildReport> startJob(ProgressListener progress) {
    return Background.call(() -> buildByJob(INDEX, progress));
  }

  TableName indexTable() {
    return IndexDefinitions.indexTable(name(), INDEX);
  }

  List<RegionInfo> indexRegions() throws IOException {
    return MiniCluster.utility().getAdmin().getRegions(indexTable());
  }

  void splitIndexTable(String at) throws Exception {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      RegionInfo region =
          indexRegions().stream()
              .filter(each -> each.containsRow(Bytes.toBytes(at)))
              .findFirst()
              .orElseThrow();
      MiniCluster.forgetMoves(region);
      admin.splitRegionAsync(region.getRegionName(), Bytes.toBytes(at)).get(2, TimeUnit.MINUTES);
    }
  }

  /** The directory in which builds have their files for the index. */
  org.apache.hadoop.fs.Path staging() throws IOException {
    String parent = MiniCluster.configuration().get(HConstants.TEMPORARY_FS_DIRECTORY_KEY);
    String cluster;
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      cluster = admin.getClusterMetrics().getClusterId();
    }
    return new org.apache.hadoop.fs.Path(
        parent + "/deli-build/" + cluster + "/default/" + indexTable());
  }

  /** The files that builds have left for the index, or have there now. */
  FileStatus[] staged() throws IOException {
    return MiniCluster.utility().getTestFileSystem().listStatus(staging());
  }

  IndexState state() throws IOException {
    return admin().describe(name(), INDEX).state();
  }

  Audit audit() throws IOException {
    return Audit.of(MiniCluster.connection(), name());
  }

  void assertComplete() throws IOException {
    Audit audit = audit();
    assertThat(audit.versions()).isPositive();
    assertThat(audit.missing()).isEmpty();
  }

  /** After a collection there is nothing but the entries of what is seen. */
  void assertExactWhenCollected() throws IOException {
    assertComplete();
    admin().collect(name(), ProgressListener.NONE);
    assertComplete();
    assertThat(audit().garbage()).isEmpty();
  }

  /**
   * After a collection, of all garbage but that of write ids which no version carries. A writer
   * makes such entries if it was under way when the index came, for so long that it looked again;
   * readers repair them.
   */
  void assertTidyWhenCollected() throws IOException {
    admin().collect(name(), ProgressListener.NONE);
    Index index = Index.of(name(), admin().describe(name(), INDEX));
    Set<String> versions = versions();
    assertThat(versions).isNotEmpty();
    Set<String> missing = new HashSet<>(versions);
    Set<String> garbage = new HashSet<>();
    for (Entry entry : read(index)) {
      String text = text(entry);
      missing.remove(text);
      if (!versions.contains(text) && entry.writeId().isNone()) {
        garbage.add(text);
      }
    }
    assertThat(missing).isEmpty();
    assertThat(garbage).isEmpty();
  }

  private Set<String> versions() throws IOException {
    Set<String> versions = new HashSet<>();
    for (Cell cell : cells(new Scan().readAllVersions())) {
      versions.add(
          entry(
              Bytes.toString(CellUtil.cloneValue(cell)),
              Bytes.toString(CellUtil.cloneRow(cell)),
              cell.getTimestamp()));
    }
    return versions;
  }

  /** The tokenizer of stopped builds works again, too. */
  @Override
  public void close() throws IOException {
    UserTokenizer.work();
    connection.close();
  }
}
