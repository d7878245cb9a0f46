package io.deli.lab.experiment;

import io.deli.lab.experiment.Experiment.Arm;
import io.deli.lab.experiment.Experiment.Stage;
import io.deli.lab.experiment.Meter.Recording;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** One arm at work in a stage, with the names of arms whose tables the run can restore. */
record Trial(
    Lab lab,
    Stage stage,
    Arm arm,
    ArmTable table,
    AnswerCheck answers,
    Set<String> restorable,
    Lab.Recorder recorder) {
  /** One step of a trial, or of what prepares it: something to do, and what of it is recorded. */
  record Step(
      Action action, List<String> only, List<String> except, String x, List<Recording> recordings) {

    @FunctionalInterface
    interface Action {
      Outcome run(Trial trial) throws IOException;
    }

    static List<Step> list(SpecNode node, String key) {
      return node.nodes(key).stream().map(Step::of).toList();
    }

    private static Step of(SpecNode node) {
      Step step =
          new Step(
              Actions.of(node),
              node.texts("only"),
              node.texts("except"),
              node.text("x", ""),
              Recording.of(node));
      node.end();
      return step;
    }

    boolean concerns(String arm) {
      return (only.isEmpty() || only.contains(arm)) && !except.contains(arm);
    }
  }

  /** Does steps one after the other; what they did adds up. */
  Outcome run(List<Step> steps) throws IOException {
    Outcome all = Outcome.NONE;
    for (Step step : steps) {
      if (step.concerns(arm.name())) {
        all = all.then(run(step));
      }
    }
    return all;
  }

  private Outcome run(Step step) throws IOException {
    Meter meter = Meter.start(this, step.recordings());
    Outcome outcome = step.action().run(this);
    meter.record(step.recordings(), outcome, step.x(), recorder);
    return outcome;
  }
}
