package io.deli.test.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.IndexStatistics;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.query.Point;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.ClientTable;
import io.deli.test.cluster.Counters;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CoprocessorClassLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The jars of which operators put one on region servers, as the build packages them. */
class ServerJarTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final String JAR = "deli.coprocessor.jar";
  private static final String OBSERVER = "io.deli.coprocessor.DeliRegionObserver";

  private static final String COPROCESSOR = "deli-coprocessor";
  private static final String FILE_INDEX = "deli-fileindex";
  private static final String PROVIDERS =
      "META-INF/services/io.deli.coprocessor.spi.FileIndexProvider";

  @ParameterizedTest
  @ValueSource(strings = {COPROCESSOR, FILE_INDEX})
  void carriesNothingButOurClasses(String module) throws IOException {
    try (JarFile jar = new JarFile(serverJar(module).toFile())) {
      List<String> files =
          jar.stream().filter(e -> !e.isDirectory()).map(ZipEntry::getName).toList();
      assertThat(files)
          .contains(
              OBSERVER.replace('.', '/') + ".class",
              "io/deli/strategy/Index.class",
              "META-INF/services/io.deli.strategy.IndexStrategy")
          .allMatch(name -> name.startsWith("io/deli/") || name.startsWith("META-INF/"))
          .noneMatch(name -> name.startsWith("io/deli/client/"));
      assertThat(files.contains(PROVIDERS)).isEqualTo(module.equals(FILE_INDEX));
      // of the classes that it has from JTS
      assertThat(files.contains("META-INF/NOTICE")).isEqualTo(module.equals(FILE_INDEX));
      assertThat(files.stream().anyMatch(name -> name.startsWith("io/deli/fileindex/")))
          .isEqualTo(module.equals(FILE_INDEX));
    }
  }

  /** A table without indexes, and a client that has its observer loaded from the jar. */
  private static ClientTable client(Configuration configuration) throws IOException {
    return new ClientTable(
        TestTable.createAsOperator(TestTable.describe("jar", 1), List.of()),
        MiniCluster.connect(configuration));
  }

  /** HBase gives the classes of a table's jar a loader of their own. */
  @ParameterizedTest
  @ValueSource(strings = {COPROCESSOR, FILE_INDEX})
  void worksFromALoaderOfItsOwn(String module) throws IOException {
    Configuration configuration = configuration(module);
    try (ClientTable client = client(configuration)) {
      TableName table = client.name();
      DeliTable rows = client.client();
      DeliAdmin admin = client.connection().getDeliAdmin();
      admin.createIndex(table, IndexDefinition.on("by_q", Column.of(FAMILY, FAMILY)));
      for (int version = 0; version < 3; version++) {
        rows.put(new Put(Bytes.toBytes("row")).addColumn(FAMILY, FAMILY, Bytes.toBytes(version)));
      }
      assertThat(loaderOfObserver(table)).isInstanceOf(CoprocessorClassLoader.class);

      admin.collect(table, ProgressListener.NONE);

      IndexStatistics statistics =
          admin.statistics(table, "by_q", Integer.MAX_VALUE, ProgressListener.NONE);
      assertThat(statistics.entries()).isEqualTo(1);
      assertThat(statistics.stale()).isZero();
    }
  }

  /** HBase has one registry for all observers of the name. */
  @Test
  void leavesTheCountsOfAnotherVersionAlone(@TempDir Path directory) throws Exception {
    // A loader for each path, and no other table has this one.
    Path copy = Files.copy(serverJar(COPROCESSOR), directory.resolve("other-version.jar"));
    Configuration configuration = MiniCluster.configuration();
    configuration.set(JAR, copy.toUri().toString());
    IndexDefinition byQ = IndexDefinition.on("by_q", Column.of(FAMILY, FAMILY));
    try (ClientTable other = client(MiniCluster.connection().getConfiguration())) {
      try (ClientTable jar = client(configuration)) {
        jar.connection().getDeliAdmin().createIndex(jar.name(), byQ);
        other.connection().getDeliAdmin().createIndex(other.name(), byQ);
        MiniCluster.utility().deleteTable(jar.name());
      }
      long before = Counters.value("collections");
      other.client().put(new Put(FAMILY).addColumn(FAMILY, FAMILY, FAMILY));
      MiniCluster.utility().flush(other.name());
      MiniCluster.utility().compact(other.name(), true);
      Eventually.holds(() -> assertThat(Counters.value("collections")).isGreaterThan(before));
      try (ClientTable opened = client(MiniCluster.connection().getConfiguration())) {
        opened.connection().getDeliAdmin().createIndex(opened.name(), byQ);
        assertThat(Counters.gauge("garbageRatio")).isNotNegative();
      }
    }
  }

  /** HBase loads its own writers of files from its class path only. */
  @ParameterizedTest
  @ValueSource(strings = {"embedded", "next"})
  void indexesFilesFromALoaderOfItsOwn(String strategy) throws IOException {
    Configuration configuration = configuration(FILE_INDEX);
    try (ClientTable client = client(configuration)) {
      TableName table = client.name();
      DeliTable rows = client.client();
      client
          .connection()
          .getDeliAdmin()
          .createIndex(
              table,
              IndexDefinition.on("by_q", Column.of(FAMILY, FAMILY))
                  .withType(ValueType.POINT)
                  .withStrategy(strategy));
      assertThat(loaderOfObserver(table)).isInstanceOf(CoprocessorClassLoader.class);
      byte[] place = new Point(8.5, 47.4).toBytes();
      rows.put(new Put(Bytes.toBytes("row")).addColumn(FAMILY, FAMILY, place));
      MiniCluster.utility().flush(table);
      long loaded = Counters.value("fileIndexesLoaded");
      try (ValueScanner hits = rows.readValue(ValueQuery.on("by_q").equalTo(place))) {
        assertThat(hits).hasSize(1);
      }
      assertThat(Counters.value("fileIndexesLoaded") - loaded).isEqualTo(1);
    }
  }

  /** Also where the class path has the module, for a coprocessor of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"embedded", "next"})
  void refusesFileIndexesWithoutTheirModule(String strategy) throws IOException {
    Configuration configuration = configuration(COPROCESSOR);
    TableName table = MiniCluster.uniqueTable("jar");
    MiniCluster.utility().createTable(table, FAMILY).close();
    IndexDefinition definition =
        IndexDefinition.on("by_q", Column.of(FAMILY, FAMILY)).withStrategy(strategy);
    try (DeliConnection connection = MiniCluster.connect(configuration);
        DeliTable rows = connection.getTable(table);
        Admin plain = MiniCluster.connection().getAdmin()) {
      String jar = configuration.get(JAR);
      assertThatThrownBy(() -> connection.getDeliAdmin().createIndex(table, definition))
          .hasMessage(
              FileIndexing.missing(table, definition, "in %s = %s".formatted(JAR, jar))
                  + "; nothing was changed");
      TableDescriptor created = plain.getDescriptor(table);
      assertThat(created.getCoprocessorDescriptors()).isEmpty();
      plain.modifyTable(
          IndexDefinitions.put(TableDescriptorBuilder.newBuilder(created), definition)
              .setCoprocessor(
                  CoprocessorDescriptorBuilder.newBuilder(OBSERVER).setJarPath(jar).build())
              .build());
      assertThat(loaderOfObserver(table)).isInstanceOf(CoprocessorClassLoader.class);
      rows.put(new Put(Bytes.toBytes("row")).addColumn(FAMILY, FAMILY, FAMILY));
      ValueQuery query = ValueQuery.on("by_q").equalTo(FAMILY);
      assertThatThrownBy(
              () -> {
                try (ValueScanner hits = rows.readValue(query)) {
                  hits.next();
                }
              })
          .hasStackTraceContaining(
              FileIndexing.missing(table, definition, "on this region server"));
    }
  }

  private static Configuration configuration(String module) throws IOException {
    Configuration configuration = MiniCluster.configuration();
    configuration.set(JAR, serverJar(module).toUri().toString());
    return configuration;
  }

  private static ClassLoader loaderOfObserver(TableName table) throws IOException {
    RegionCoprocessor observer =
        MiniCluster.regions(table).get(0).getCoprocessorHost().findCoprocessor(OBSERVER);
    return observer.getClass().getClassLoader();
  }

  private static Path serverJar(String module) throws IOException {
    Path target = Path.of(System.getProperty("deli.root"), module, "target");
    try (Stream<Path> files = Files.list(target)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith("-server.jar"))
          .findFirst()
          .orElseThrow(
              () -> new AssertionError("no server jar: run 'mvn verify', which builds it"));
    }
  }
}
