package io.deli.lab.experiment;

import io.deli.lab.experiment.Experiment.Arm;
import io.deli.lab.experiment.Experiment.Stage;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * One arm at work in a stage.
 *
 * @param restorable the names of arms whose tables can be restored; mutable, of the whole run
 */
record Trial(
    Lab lab,
    Experiment experiment,
    Stage stage,
    Arm arm,
    ArmTable table,
    Set<String> restorable,
    Lab.Recorder recorder) {

  /** Does steps one after the other; what they did adds up. */
  Outcome run(List<TrialStep> steps) throws IOException {
    Outcome all = Outcome.NONE;
    for (TrialStep step : steps) {
      if (step.concerns(arm.name())) {
        all = all.then(run(step));
      }
    }
    return all;
  }

  private Outcome run(TrialStep step) throws IOException {
    Meter meter = Meter.start(lab, step.recordings());
    Outcome outcome = step.action().run(this);
    meter.record(step.recordings(), outcome, step.x(), recorder);
    return outcome;
  }
}
