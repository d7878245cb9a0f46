package io.deli.lab.experiment;

import io.deli.lab.experiment.Database.DatabaseTable;
import io.deli.lab.experiment.Experiment.Arm;
import io.deli.lab.experiment.Experiment.Keeper;
import io.deli.lab.experiment.Experiment.Layout;
import io.deli.lab.experiment.Experiment.Stage;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;

/** Runs what a spec says, stage by stage. */
final class Interpreter {
  private static final Lab.Recorder NOWHERE = (measure, x, unit, value) -> {};

  private final Experiment experiment;
  private final Lab lab;
  private final Map<String, AnswerCheck> answers = new HashMap<>();
  private final Set<String> restorable = new HashSet<>();

  /** Stages whose trials left their tables behind, by arm. */
  private final Set<List<String>> done = new HashSet<>();

  Interpreter(Experiment experiment, Lab lab) {
    this.experiment = experiment;
    this.lab = lab;
  }

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
