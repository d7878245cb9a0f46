package io.deli.lab.experiment.catalog;

import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Lab.Recorder;
import java.io.IOException;
import java.util.List;

/**
 * Contenders that are measured at the same points, each from the same beginning.
 *
 * @param points what is varied, as it is recorded
 */
record Contest(Cache cache, List<Contender> contenders, List<String> points) {
  /** Measures one contender at one point. */
  @FunctionalInterface
  interface Trial {
    void run(Contender contender, String point, Recorder recorder) throws IOException;
  }

  /** Measures those that are wanted, in rounds, and drops what they keep. */
  void run(Lab lab, String stage, Trial trial) throws IOException {
    List<Contender> wanted = lab.wanted(contenders, Contender::arm);
    Lab.cleaningUp(
        () -> {
          for (Contender each : wanted) {
            each.drop();
          }
        },
        () ->
            lab.rounds(
                stage,
                wanted,
                Contender::arm,
                () -> {},
                (contender, recorder) -> {
                  for (String point : points) {
                    contender.restore();
                    DiskReads reads = DiskReads.from(cache, lab);
                    trial.run(contender, point, recorder);
                    reads.record(recorder, point);
                  }
                }));
  }
}
