package io.deli.test.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.experiment.Experiment;
import io.deli.lab.experiment.Size;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli.Outcome;
import io.deli.test.ycsb.MariaDb;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An experiment measures, writes its report, cleans up, and does not measure twice. */
class ExperimentTest {
  private static Cli deli;

  @TempDir private Path out;

  @BeforeAll
  static void connect() {
    deli = Cli.lab("--zookeeper", MiniCluster.zooKeeper());
  }

  private Outcome run(String... more) {
    List<String> arguments =
        List.of(
            "experiment",
            "strategies",
            "--scale",
            "tiny",
            "--only",
            "put,lookup",
            "--out",
            out.toString());
    return deli.run(
        Stream.concat(arguments.stream(), List.of(more).stream()).toArray(String[]::new));
  }

  @Test
  void strategies() throws IOException {
    Outcome first = run("--arms", "plain,deferred");
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.out())
        .contains("### PUT throughput, operations/s", "| deferred |", "| space: embedded / none |");

    Path directory = out.resolve("strategies");
    assertThat(Files.readString(directory.resolve("report.md"))).isEqualTo(first.out());
    assertThat(ImageIO.read(directory.resolve("lookup.png").toFile()).getWidth()).isPositive();
    assertThat(directory.resolve("lookup.svg")).isNotEmptyFile();
    List<String> measured = Files.readAllLines(directory.resolve("measurements.csv"));
    assertThat(measured)
        .anyMatch(line -> line.startsWith("put,0,plain,PUT throughput,,operations/s,"))
        .anyMatch(line -> line.startsWith("lookup,0,deferred,LOOKUP latency,all,ms,"))
        .anyMatch(line -> line.startsWith("lookup,0,deferred,LOOKUP blocks,10,"));
    assertNoTableLeft();

    Outcome again = run("--arms", "plain,deferred", "--json");
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(again.out()).contains("\"experiment\": \"strategies\"", "\"verdict\":");
    assertThat(Files.readAllLines(directory.resolve("measurements.csv"))).isEqualTo(measured);

    Outcome warmer = run("--arms", "plain,deferred", "--warmups", "3");
    assertThat(warmer.code()).isEqualTo(2);
    assertThat(warmer.err()).contains("other circumstances", "now warm-up rounds: 3");
  }

  /** The arm's lookups read the index that servers maintain. */
  @Test
  void anIndexOfServersThatIsEmptied_givesWrongAnswers() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> emptying =
        CompletableFuture.runAsync(
            () -> {
              while (!over.get()) {
                emptyIndexes();
              }
            });
    String options = "--scale tiny --arms served --only fresh --out " + out;
    Outcome outcome = deli.run(("experiment peers " + options).split(" "));
    over.set(true);
    emptying.get(1, TimeUnit.MINUTES);
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(Files.readAllLines(out.resolve("peers").resolve("measurements.csv")))
        .anyMatch(line -> line.contains(",0,served,wrong answers,") && !line.endsWith(",0.0"));
  }

  @Test
  void aCompactionThatDoesNotHappen_failsTheExperiment() throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.compactionSwitch(false, List.of());
      try {
        String options = "--scale tiny --arms naive --only collected --out " + out;
        Outcome outcome = deli.run(("experiment peers " + options).split(" "));
        assertThat(outcome.code()).as(outcome.out()).isNotZero();
        assertThat(outcome.err()).contains("were not compacted");
      } finally {
        admin.compactionSwitch(true, List.of());
      }
    }
  }

  private static void emptyIndexes() {
    Connection connection = MiniCluster.connection();
    try (Admin admin = connection.getAdmin()) {
      for (TableName each :
          admin.listTableNames(Pattern.compile("deli_experiment_peers_served\\..*"))) {
        try (Table table = connection.getTable(each);
            ResultScanner entries = table.getScanner(new Scan())) {
          for (Result entry : entries) {
            table.delete(new Delete(entry.getRow()));
          }
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // It was dropped meanwhile.
    }
  }

  @Test
  @Tag("experiments")
  void all() throws Exception {
    try (MariaDb database = MariaDb.start(out.resolve("mariadb"))) {
      Outcome all =
          deli.run(
              "experiment",
              "all",
              "--scale",
              "tiny",
              "--out",
              out.toString(),
              "--jdbc",
              database.url() + "?user=root");
      assertThat(all.code()).as(all.err()).isZero();
      assertThat(all.out()).contains("| claim | holds here | experiment |", "| DELI, Figure 7a |");
    }
    assertThat(out.resolve("read-write").resolve("measurements.csv"))
        .content()
        .contains("mix,0,MariaDB,throughput,0.1,operations/s,");
    for (Experiment experiment : Experiment.all(Size.TINY)) {
      Path directory = out.resolve(experiment.name());
      assertThat(Files.readAllLines(directory.resolve("report.md")))
          .contains("# " + experiment.name())
          .anyMatch(line -> line.matches("\\|.*\\| (yes|no) \\|"));
      assertThat(arms(directory)).containsExactlyInAnyOrderElementsOf(experiment.armNames());
      assertPlots(directory);
    }
    assertNoTableLeft();
  }

  private static Set<String> arms(Path directory) throws IOException {
    return Files.readAllLines(directory.resolve("measurements.csv")).stream()
        .skip(1)
        // A stage may have a comma in its name, an arm has none.
        .map(line -> line.replaceAll("\"[^\"]*\"", "stage").split(",", 4)[2])
        .collect(Collectors.toSet());
  }

  private static void assertPlots(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> plots = files.filter(file -> file.toString().endsWith(".png")).toList();
      assertThat(plots).as(directory.toString()).isNotEmpty();
      for (Path plot : plots) {
        assertThat(ImageIO.read(plot.toFile()).getWidth()).as(plot.toString()).isPositive();
        assertThat(Path.of(plot.toString().replace(".png", ".svg"))).isNotEmptyFile();
      }
    }
  }

  private static void assertNoTableLeft() throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      assertThat(admin.listTableNames())
          .extracting(TableName::getNameAsString)
          .noneMatch(name -> name.startsWith("deli_experiment_"));
      assertThat(admin.listSnapshots())
          .extracting(SnapshotDescription::getName)
          .noneMatch(name -> name.startsWith("deli_experiment_"));
    }
  }

  @Test
  void namesWhatThereIs() {
    assertThat(deli.run("experiment", "list").out()).contains("strategies");
    Outcome wrong = deli.run("experiment", "strategy");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("there is no experiment 'strategy': choose from strategies");
    Outcome elsewhere = run("--drop-caches");
    assertThat(elsewhere.code()).isEqualTo(2);
    assertThat(elsewhere.err())
        .contains("--drop-caches works with an HBase of the experiment's own");
    Outcome late = deli.run("experiment", "all", "--arms", "plain", "--out", out.toString());
    assertThat(late.code()).isEqualTo(2);
    assertThat(late.err()).contains("no arm plain: choose from none, deferred");
    Outcome parameter = run("--set", "row=9");
    assertThat(parameter.code()).isEqualTo(2);
    assertThat(parameter.err()).contains("no parameter 'row': choose from rows, rows per user");
    Outcome database =
        deli.run("experiment", "all", "--jdbc", "jdbc:none", "--out", out.toString());
    assertThat(database.code()).isNotZero();
    assertThat(database.err()).contains("no connection to the database");
    assertThat(out).isEmptyDirectory();
    Outcome none = run("--arms", "dreffered");
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("no arm dreffered: choose from plain, none, deferred");
  }
}
