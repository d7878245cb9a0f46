package io.deli.lab.experiment;

import com.sun.management.OperatingSystemMXBean;
import io.deli.lab.experiment.Database.DatabaseTable;
import io.deli.lab.experiment.Experiment.Arm;
import io.deli.lab.experiment.Experiment.Keeper;
import io.deli.lab.experiment.Experiment.Layout;
import io.deli.lab.experiment.Experiment.Stage;
import io.deli.tools.Session;
import io.deli.tools.output.Progress;
import io.deli.tools.output.Terminal;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** Runs experiments one after the other and writes their reports, a directory for each. */
public record Campaign(
    Site site, Optional<ColdDisk> cold, Lab.Effort effort, Path out, Terminal terminal) {
  private static final String LEFT_ALONE = "left alone; it may have all files in memory";

  private static final String DESCRIPTION =
      """
      tree=$(git describe --always --dirty --abbrev=10) || exit
      case $tree in *-dirty) tree=$tree-$(git diff HEAD --binary | git hash-object --stdin) ;; esac
      echo $tree
      """;

  private static final String NO_DATABASE =
      "NONE: the arm of the database is left out, for neither was one named (--jdbc) nor is MariaDB"
          + " installed";

  /** Runs one experiment, as far as its measurements are not there already or are made anew. */
  public Report run(Experiment experiment, boolean anew) throws IOException {
    Path directory = out.resolve(experiment.name());
    terminal.say(experiment.name() + ": " + experiment.sentence());
    Optional<Database> database =
        experiment.comparesDatabase() ? site.database() : Optional.empty();
    Session session = site.session(experiment.server());
    Map<String, String> circumstances = circumstances(experiment, session.connection(), database);
    if (anew) {
      Journal.forget(directory);
    }
    Journal journal = Journal.open(directory, circumstances);
    try (Progress progress = new Progress(terminal);
        Lab lab =
            new Lab(
                session.connection().getConfiguration(),
                site.premises(),
                database,
                cold.filter(disk -> experiment.isBeyondCache()),
                effort,
                journal,
                progress)) {
      new Interpreter(experiment, lab, new HashMap<>(), new HashSet<>(), new HashSet<>()).run();
    }
    String today = LocalDate.now(ZoneOffset.UTC).toString();
    Report report = new Report(experiment, circumstances, today, journal.results());
    report.write(directory);
    return report;
  }

  private Map<String, String> circumstances(
      Experiment experiment, Connection connection, Optional<Database> database)
      throws IOException {
    Map<String, String> all = environment(connection);
    all.put("scale", effort.size().name().toLowerCase(Locale.ROOT));
    all.put("warm-up rounds", Integer.toString(effort.warmups()));
    all.put("server", site.description(experiment.server()));
    if (experiment.isBeyondCache()) {
      all.put("operating system's cache", cold.map(ColdDisk::description).orElse(LEFT_ALONE));
    }
    if (experiment.comparesDatabase()) {
      all.put("database", database.isPresent() ? database.get().description() : NO_DATABASE);
      if (database.isEmpty()) {
        terminal.say("database: " + NO_DATABASE);
      }
    }
    experiment.parameters().forEach((parameter, value) -> all.put("parameter " + parameter, value));
    return all;
  }

  /**
   * Runs what a spec says, stage by stage.
   *
   * @param answers by arm
   * @param done stages whose trials left their tables behind, by arm
   */
  private record Interpreter(
      Experiment experiment,
      Lab lab,
      Map<String, AnswerCheck> answers,
      Set<String> restorable,
      Set<List<String>> done) {
    private static final Lab.Recorder NOWHERE = (measure, x, unit, value) -> {};

    /** Measures what is wanted and not measured yet; leaves no table behind. */
    void run() throws IOException {
      List<Arm> arms =
          experiment.arms().stream()
              .filter(arm -> arm.keeper() != Keeper.DATABASE || lab.database().isPresent())
              .toList();
      Lab.cleaningUp(
          () -> drop(arms),
          () -> {
            for (Stage stage : experiment.stages()) {
              run(stage, arms.stream().filter(arm -> stage.arms().contains(arm.name())).toList());
            }
          });
    }

    private void drop(List<Arm> arms) throws IOException {
      for (Arm arm : arms) {
        table(arm, experiment.layout(), experiment.workload()).drop();
      }
    }

    private ArmTable table(Arm arm, Layout layout, Map<String, String> workload) {
      String name =
          Lab.TABLES
              + experiment.name()
              + (experiment.layout().shared() ? "" : "_" + arm.name().replaceAll("[^\\w-]+", "-"));
      TableName table = TableName.valueOf(name);
      return switch (arm.keeper()) {
        case CLIENT, SERVER -> new HBaseTable(lab, table, arm, layout, workload);
        case HAND -> new NaiveTable(lab, table, arm, layout, workload);
        case PHOENIX -> new PhoenixTable(lab, table, arm, layout, workload);
        case DATABASE -> new DatabaseTable(lab.database().orElseThrow(), name.replace('-', '_'));
      };
    }

    private void run(Stage stage, List<Arm> arms) throws IOException {
      lab.rounds(
          stage.name(),
          arms,
          () -> prepare(stage, arms),
          (arm, recorder) -> {
            trial(stage, arm, recorder).run(stage.trial());
            done.add(List.of(stage.name(), arm.name()));
          });
    }

    /** With a shared table it is the first arm that prepares it for all. */
    private void prepare(Stage stage, List<Arm> arms) throws IOException {
      for (Arm arm : experiment.layout().shared() ? arms.subList(0, 1) : arms) {
        Optional<Stage> before = experiment.stage(stage.after());
        if (before.isPresent() && !done.contains(List.of(before.get().name(), arm.name()))) {
          makeUpFor(before.get(), arm);
        }
        trial(stage, arm, NOWHERE).run(stage.prepare());
      }
    }

    /** For a stage that was measured in an earlier run: its tables are gone. */
    private void makeUpFor(Stage stage, Arm arm) throws IOException {
      prepare(stage, List.of(arm));
      trial(stage, arm, NOWHERE).run(stage.trial());
      done.add(List.of(stage.name(), arm.name()));
    }

    private Trial trial(Stage stage, Arm arm, Lab.Recorder recorder) {
      return new Trial(
          lab,
          stage,
          arm,
          table(arm, stage.layout(), stage.workload()),
          answers.computeIfAbsent(arm.name(), each -> new AnswerCheck()),
          restorable,
          recorder);
    }
  }

  /** Machine and versions, without which a figure says little. */
  private static Map<String, String> environment(Connection connection) throws IOException {
    Map<String, String> all = new TreeMap<>();
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    all.put(
        "machine",
        "%d cores, %d GB, %s %s"
            .formatted(
                Runtime.getRuntime().availableProcessors(),
                Math.round((double) system.getTotalMemorySize() / (1L << 30)),
                System.getProperty("os.name"),
                System.getProperty("os.arch")));
    all.put("JDK", System.getProperty("java.vm.name") + " " + Runtime.version());
    try (Admin admin = connection.getAdmin()) {
      all.put("HBase", admin.getClusterMetrics().getHBaseVersion());
      all.put("region servers", Integer.toString(admin.getRegionServers().size()));
    }
    commit().ifPresent(commit -> all.put("DELI", commit));
    return all;
  }

  /** The commit of the checkout that this class was built in, if it was. */
  private static Optional<String> commit() {
    try {
      Path classes =
          Path.of(Campaign.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return commit(Optional.of(classes.toFile()).filter(File::isDirectory));
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  /**
   * The commit of the checkout that a directory is in, this process's if it is not given; with a
   * digest of what differs from it, so that no two trees are taken for the same.
   */
  static Optional<String> commit(Optional<File> checkout) {
    try {
      Process git =
          new ProcessBuilder("sh", "-c", DESCRIPTION)
              .directory(checkout.orElse(null))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return git.onExit().join().exitValue() == 0 ? Optional.of(said) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
