package io.deli.lab.experiment.catalog;

import io.deli.lab.experiment.Experiment;
import io.deli.tools.Failure;
import java.util.List;
import java.util.stream.Collectors;

/** All experiments, in the order in which they run: those that want the same HBase together. */
public final class Catalog {
  private static final List<Experiment> ALL =
      List.of(
          new StrategiesExperiment(),
          new TimeIndexExperiment(),
          new MixedExperiment(),
          new BitsPerKeyExperiment(),
          new NextExperiment(),
          new TwoIndexesExperiment(),
          new CompactionGetExperiment(),
          new GcExperiment(),
          new WriteOnlyExperiment(Cache.HOLDS_LITTLE),
          new ReadWriteExperiment(Cache.HOLDS_LITTLE),
          new OnlineOfflineExperiment(Cache.HOLDS_LITTLE),
          new WriteOnlyExperiment(Cache.HOLDS_ALL),
          new ReadWriteExperiment(Cache.HOLDS_ALL),
          new OnlineOfflineExperiment(Cache.HOLDS_ALL),
          new BuildExperiment(),
          new VerifyExperiment());

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
