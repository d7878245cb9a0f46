package io.deli.test.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.tools.DeliProcess;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A build and a verification by jobs on YARN, whose master and tasks are processes of their own.
 * They have Hadoop on their class path, and nothing of HBase and DELI but what the jobs bring.
 */
@Tag("yarn")
class YarnBuildTest {
  /** Parts of the paths of what HBase or DELI brings. */
  private static final List<String> NOT_HADOOP =
      List.of(
          "/io/deli/",
          "/target/",
          "/org/apache/hbase/",
          "/io/opentelemetry/",
          "/com/google/protobuf/",
          "/io/dropwizard/",
          "/site/ycsb/",
          "/org/locationtech/");

  private static MiniMRYarnCluster yarn;

  @BeforeAll
  static void start() {
    yarn = new MiniMRYarnCluster("deli", 1);
    yarn.init(MiniCluster.configuration());
    yarn.start();
  }

  @AfterAll
  static void stop() {
    yarn.stop();
  }

  @Test
  void jobsBringWhatTheirTasksNeed(@TempDir Path directory) throws Exception {
    MiniCluster.writeSite(configuration(), directory);
    try (BuiltTable table = BuiltTable.create("yarn", "row0050")) {
      table.fill("row", 100);
      table.createIndexByJob(directory);
      assertThat(
              run(
                  directory,
                  "verify",
                  table.name().getNameAsString(),
                  TestTable.INDEX,
                  "--checksum",
                  "--mapreduce"))
          .contains("versions: 100", "entries: 100", "missing: 0");
      assertThat(table.staged()).isEmpty();
    }
  }

  private static String run(Path directory, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(arguments));
    command.addAll(List.of("--conf", directory.toString()));
    try (DeliProcess deli = DeliProcess.start(directory, command)) {
      assertThat(deli.awaitEnd()).as(deli.transcript()).isZero();
      return deli.printed();
    }
  }

  private static Configuration configuration() {
    Configuration configuration = BuiltTable.configuration();
    yarn.getConfig().forEach(e -> configuration.set(e.getKey(), e.getValue()));
    // Else tasks have the class path of this JVM.
    configuration.setBoolean("yarn.is.minicluster", false);
    configuration.set("yarn.application.classpath", "");
    configuration.set("mapreduce.application.classpath", hadoop());
    return configuration;
  }

  private static String hadoop() {
    return Pattern.compile(File.pathSeparator)
        .splitAsStream(System.getProperty("java.class.path"))
        .filter(path -> path.endsWith(".jar"))
        .filter(jar -> NOT_HADOOP.stream().noneMatch(jar::contains))
        .collect(Collectors.joining(","));
  }
}
