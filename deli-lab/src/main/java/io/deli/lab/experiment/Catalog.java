package io.deli.lab.experiment;

import io.deli.tools.Failure;
import java.util.List;
import java.util.Map;

/** All experiments, in the order in which they run: those that want the same HBase together. */
public final class Catalog {
  private static final List<String> NAMES =
      List.of(
          "strategies",
          "strategies-by-time",
          "mixed",
          "bits-per-key",
          "next",
          "next-two",
          "compaction-get",
          "gc",
          "write-only-beyond-cache",
          "read-write-beyond-cache",
          "online-offline-beyond-cache",
          "write-only",
          "read-write",
          "online-offline",
          "build",
          "verify",
          "writes",
          "lookups",
          "compactions");

  private Catalog() {}

  public static List<String> names() {
    return NAMES;
  }

  /** All of them, with the parameters of a size. */
  public static List<Experiment> all(Size size) {
    return NAMES.stream().map(name -> named(name, size, Map.of())).toList();
  }

  /**
   * An experiment by its name.
   *
   * @param parameters that are set otherwise than its spec says
   * @throws Failure if there is none, naming those there are, or none of its parameters is called
   *     so
   */
  public static Experiment named(String name, Size size, Map<String, String> parameters) {
    if (!NAMES.contains(name)) {
      throw Failure.usage(
          "there is no experiment '%s': choose from %s".formatted(name, String.join(", ", NAMES)));
    }
    return read(name, size, parameters);
  }

  static Experiment read(String name, Size size, Map<String, String> parameters) {
    return Experiment.of(name, size, SpecFile.read(name, size, parameters));
  }
}
