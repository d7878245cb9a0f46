package io.deli.tools.experiment.catalog;

import io.deli.tools.Failure;
import io.deli.tools.experiment.Experiment;
import java.util.List;
import java.util.stream.Collectors;

/** All experiments, in the order in which they run. */
public final class Catalog {
  private static final List<Experiment> ALL =
      List.of(
          new StrategiesExperiment(),
          new WriteOnlyExperiment(),
          new ReadWriteExperiment(),
          new CompactionGetExperiment(),
          new GcExperiment(),
          new OnlineOfflineExperiment(),
          new NextExperiment());

  private Catalog() {}

  public static List<Experiment> all() {
    return ALL;
  }

  /**
   * An experiment by its name.
   *
   * @throws Failure if there is none, naming those there are
   */
  public static Experiment named(String name) {
    return ALL.stream()
        .filter(experiment -> experiment.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                Failure.usage(
                    "there is no experiment '%s': choose from %s"
                        .formatted(
                            name,
                            ALL.stream().map(Experiment::name).collect(Collectors.joining(", ")))));
  }
}
