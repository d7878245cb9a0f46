package io.deli.test.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli;
import io.deli.test.tools.Cli.Outcome;
import io.deli.tools.ExitCode;
import io.deli.ycsb.DeliClient;
import io.deli.ycsb.ValueRead;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.Workload;
import site.ycsb.measurements.Measurements;

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

  /** In this JVM, as YCSB does it in one of its own. */
  @ParameterizedTest
  @MethodSource("workloads")
  void does(String workload) throws Exception {
    Path file = WORKLOADS.resolve(workload);
    assertThat(driven(properties(file), Workload::doInsert, RECORDS))
        .containsExactlyEntriesOf(Map.of("INSERT", RECORDS));
    Map<String, Integer> done = driven(properties(file), Workload::doTransaction, OPERATIONS);
    assertThat(done.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(OPERATIONS);
    assertThat(done.keySet()).containsAll(frequent(properties(file)));
  }

  private static Properties properties(Path file) throws IOException {
    Properties properties = Records.properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    }
    properties.setProperty("recordcount", Integer.toString(RECORDS));
    properties.setProperty("operationcount", Integer.toString(OPERATIONS));
    properties.setProperty("table", table.getNameAsString());
    properties.setProperty("deli.ycsb.create", "true");
    return properties;
  }

  private interface Step {
    boolean run(Workload workload, DB binding, Object thread);
  }

  private static Map<String, Integer> driven(Properties properties, Step step, int times)
      throws Exception {
    Measurements.setProperties(properties);
    Workload workload =
        Class.forName(properties.getProperty("workload"))
            .asSubclass(Workload.class)
            .getDeclaredConstructor()
            .newInstance();
    workload.init(properties);
    CountingClient client = new CountingClient();
    client.setProperties(properties);
    client.init();
    try {
      Object thread = workload.initThread(properties, 0, 1);
      for (int i = 0; i < times; i++) {
        assertThat(step.run(workload, client, thread)).isTrue();
      }
      return client.done;
    } finally {
      client.cleanup();
      workload.cleanup();
    }
  }

  /** Counts operations, none of which may fail. */
  @SuppressWarnings("NonApiType") // of YCSB's own interface
  private static final class CountingClient extends DeliClient {
    private final Map<String, Integer> done = new TreeMap<>();

    private Status count(String operation, Status status) {
      assertThat(status).as(operation).isEqualTo(Status.OK);
      done.merge(operation, 1, Integer::sum);
      return status;
    }

    @Override
    public Status read(
        String name, String key, Set<String> fields, Map<String, ByteIterator> result) {
      return count("READ", super.read(name, key, fields, result));
    }

    @Override
    public Status insert(String name, String key, Map<String, ByteIterator> values) {
      return count("INSERT", super.update(name, key, values));
    }

    @Override
    public Status update(String name, String key, Map<String, ByteIterator> values) {
      return count("UPDATE", super.update(name, key, values));
    }

    @Override
    public Status find(String name, ValueRead read, List<HashMap<String, ByteIterator>> result) {
      return count(read.kind().name(), super.find(name, read, result));
    }
  }

  /** The operations of which so many must have come. */
  private static List<String> frequent(Properties properties) {
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
    Cli cli = Cli.lab("--zookeeper", MiniCluster.zooKeeper());
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
