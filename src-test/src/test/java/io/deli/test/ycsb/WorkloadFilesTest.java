package io.deli.test.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli;
import io.deli.test.tools.Cli.Outcome;
import io.deli.tools.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The workload files that are shipped, scaled down, and the commands of their README. */
class WorkloadFilesTest {
  private static final Path ROOT = Path.of(System.getProperty("deli.root"));
  private static final Path WORKLOADS = ROOT.resolve("deli-ycsb").resolve("workloads");
  private static final int RECORDS = 60;
  private static final int OPERATIONS = 200;
  private static final String SCALE =
      "-p recordcount=%d -p operationcount=%d -p table=".formatted(RECORDS, OPERATIONS);

  private static final Map<String, String> OPERATION_OF =
      Map.of(
          "readproportion", "READ",
          "updateproportion", "UPDATE",
          "insertproportion", "INSERT",
          "readvalueproportion", "READVALUE",
          "rangelookupproportion", "RANGELOOKUP",
          "prefixlookupproportion", "PREFIX");

  private static final Pattern RETURNED =
      Pattern.compile("^\\[([A-Z]+)\\], Return=(\\w+), (\\d+)$", Pattern.MULTILINE);

  @TempDir private Path directory;

  /** One for all files: each load writes the records of its own. */
  private static TableName table;

  @BeforeAll
  static void name() {
    table = MiniCluster.uniqueTable("workload");
  }

  private static Stream<String> workloads() throws IOException {
    try (Stream<Path> files = Files.list(WORKLOADS)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals("replay"))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void does(String workload) throws IOException {
    Path file = WORKLOADS.resolve(workload);
    String scale = SCALE + table;
    assertThat(done(ycsb("load -P " + file + " " + scale)))
        .containsExactlyEntriesOf(Map.of("INSERT", RECORDS));
    Map<String, Integer> done = done(ycsb("run -P " + file + " " + scale));
    assertThat(done.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(OPERATIONS);
    assertThat(done.keySet()).containsAll(frequent(file));
  }

  /** The operations of which so many must have come. */
  private static List<String> frequent(Path file) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    }
    return OPERATION_OF.entrySet().stream()
        .filter(each -> Double.parseDouble(properties.getProperty(each.getKey(), "0")) >= 0.1)
        .map(Map.Entry::getValue)
        .toList();
  }

  @Test
  void replaysWhatWasRecorded() throws IOException {
    Path trace = directory.resolve("trace.tsv");
    ycsb(
        "load -P %s -db io.deli.ycsb.RecordingClient -p trace.file=%s %s"
            .formatted(
                WORKLOADS.resolve("workloada-values"),
                trace,
                SCALE + MiniCluster.uniqueTable("workload")));
    String replayed =
        ycsb(
            "run -P %s -p fieldcount=2 -p deli.ycsb.create=true -p trace.file=%s -p table=%s"
                .formatted(WORKLOADS.resolve("replay"), trace, MiniCluster.uniqueTable("replay")));
    assertThat(done(replayed)).containsExactlyEntriesOf(Map.of("INSERT", RECORDS));
  }

  /** As in the README: DELI's three jars beside those of HBase's client and YCSB's core. */
  @Test
  void ycsbsOwnClientTakesTheBinding() throws Exception {
    try (OutputStream site = Files.newOutputStream(directory.resolve("hbase-site.xml"))) {
      MiniCluster.configuration().writeXml(site);
    }
    String common =
        "-db io.deli.ycsb.DeliClient -P %s -p columnfamily=f %s"
            .formatted(
                WORKLOADS.resolve("workloada-values"), SCALE + MiniCluster.uniqueTable("stock"));
    assertThat(done(stock("-load " + common + " -p deli.ycsb.create=true")))
        .containsExactlyEntriesOf(Map.of("INSERT", RECORDS));
    assertThat(done(stock("-t " + common))).containsKeys("READ", "READVALUE", "UPDATE");
  }

  private String stock(String arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String opened : List.of("java.lang", "java.lang.reflect")) {
      command.addAll(List.of("--add-opens", "java.base/" + opened + "=ALL-UNNAMED"));
    }
    command.addAll(List.of("-cp", directory + ":" + classPath(), "site.ycsb.Client"));
    command.addAll(List.of(arguments.split(" ")));
    Path err = directory.resolve("err");
    Process process = new ProcessBuilder(command).redirectError(err.toFile()).start();
    String report = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(report + Files.readString(err)).isZero();
    return report;
  }

  private static String classPath() throws IOException {
    String libraries = Files.readString(ROOT.resolve("deli-lab/target/classpath")).strip();
    List<String> path = new ArrayList<>();
    for (String module : List.of("deli-core", "deli-client", "deli-ycsb")) {
      path.add(ROOT.resolve(module).resolve("target/classes").toString());
    }
    Arrays.stream(libraries.split(":"))
        .filter(library -> library.endsWith(".jar") && !library.contains("/deli-"))
        .forEach(path::add);
    return String.join(":", path);
  }

  private static String ycsb(String arguments) {
    Configuration conf = MiniCluster.configuration();
    Cli cli = Cli.lab("--zookeeper", "localhost:" + conf.get(HConstants.ZOOKEEPER_CLIENT_PORT));
    Outcome outcome = cli.run(("ycsb " + arguments).split(" "));
    assertThat(outcome.code()).as(outcome.out() + outcome.err()).isEqualTo(ExitCode.OK);
    return outcome.out();
  }

  /** How many operations of each kind a report tells of; none may have failed. */
  private static Map<String, Integer> done(String report) {
    Map<String, Integer> done = new TreeMap<>();
    Matcher returned = RETURNED.matcher(report);
    while (returned.find()) {
      assertThat(returned.group(2)).as(report).isEqualTo("OK");
      done.put(returned.group(1), Integer.parseInt(returned.group(3)));
    }
    return done;
  }
}
